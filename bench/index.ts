/** Prints every figure of the README and writes them to bench/results/latest.json: `npm run bench [-- part …]`. */
import { callbacks } from './callbacks.js'
import { helpers } from './helpers.js'
import { importing } from './importing.js'
import { largeBody } from './large-body.js'
import { manyTasks } from './many-tasks.js'
import { millionTasks } from './million-tasks.js'
import { probingTimes } from './probing.js'
import { replaying } from './replay.js'
import { type Figure, print, save } from './report.js'
import { scenarios } from './scenarios.js'
import { starting } from './starting.js'
import { state } from './state.js'
import { studio } from './studio.js'
import { throughput } from './throughput.js'
import { uploads } from './uploads.js'

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  throughput,
  starting,
  importing,
  'many-tasks': manyTasks,
  'million-tasks': millionTasks,
  studio,
  probing: probingTimes,
  uploads,
  callbacks,
  helpers,
  scenarios,
  replay: replaying,
  'large-body': largeBody,
  state,
}

const chosen = process.argv.slice(2).filter((name) => name in parts)
const figures: Figure[] = []
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const measured = (await parts[name]?.()) ?? []
  measured.forEach(print)
  figures.push(...measured)
}
console.log(`\nWritten to ${await save(figures)}`)
