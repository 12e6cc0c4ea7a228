/** Prints every figure of the README and writes them to bench/results/latest.json: `npm run bench [-- part …]`. */
import { callbacks } from './callbacks.js'
import { helpers } from './helpers.js'
import { largeBody } from './large-body.js'
import { manyTasks } from './many-tasks.js'
import { replaying } from './replay.js'
import { type Figure, print, save } from './report.js'
import { scenarios } from './scenarios.js'
import { starting } from './starting.js'
import { throughput } from './throughput.js'

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  throughput,
  starting,
  'many-tasks': manyTasks,
  callbacks,
  helpers,
  scenarios,
  replay: replaying,
  'large-body': largeBody,
}

const chosen = process.argv.slice(2).filter((name) => name in parts)
const figures: Figure[] = []
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const measured = (await parts[name]?.()) ?? []
  measured.forEach(print)
  figures.push(...measured)
}
console.log(`\nWritten to ${await save(figures)}`)
