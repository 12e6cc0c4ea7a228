import { writeFile } from 'node:fs/promises'
import { callbacks } from './callbacks.js'
import { helpers } from './helpers.js'
import { importing } from './importing.js'
import { largeBody } from './large-body.js'
import { manyTasks } from './many-tasks.js'
import { millionTasks } from './million-tasks.js'
import { probingTimes } from './probing.js'
import { replaying } from './replay.js'
import { asPage, type Figure, print, save } from './report.js'
import { scenarios } from './scenarios.js'
import { starting } from './starting.js'
import { state } from './state.js'
import { renderer } from './studio.js'
import { throughput } from './throughput.js'
import { uploads } from './uploads.js'

/** Prints every figure, and writes them to bench/results/latest.json and, with --page, to docs/figures.md: `npm run bench [-- part … --page]`. */

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  throughput,
  starting,
  importing,
  'many-tasks': manyTasks,
  'million-tasks': millionTasks,
  renderer,
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
const wantsPage = process.argv.includes('--page')
const measured: Record<string, Figure[]> = {}
// With --page alone, the page is written of what was measured before.
for (const name of chosen.length > 0 || wantsPage ? chosen : Object.keys(parts)) {
  measured[name] = (await parts[name]?.()) ?? []
  measured[name].forEach(print)
}
const results = await save(measured)
if (wantsPage) await writeFile(new URL('../docs/figures.md', import.meta.url), asPage(results))
