import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

// Loaded into an emulator's process (`node --import`): on SIGUSR2 it collects all garbage at once, so that
// what is left is what is kept.

// Its threads load this too.
if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')

  process.on('SIGUSR2', () => {
    collect()
    // What buffers held is freed by the collection after the one that found them unused.
    setImmediate(collect)
  })
}
