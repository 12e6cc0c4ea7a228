import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Garbage collection on demand: what is measured after one does not depend on when V8 made the one before.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => collect())
