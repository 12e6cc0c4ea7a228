import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { accounts } from './accounts.js'
import { callbacks } from './callbacks.js'
import { connections } from './connections.js'
import { due } from './due.js'
import { bound, held } from './held.js'
import { helpers } from './helpers.js'
import { inputs } from './inputs.js'
import { lines } from './lines.js'
import { isQuick } from './measure.js'
import { media } from './media.js'
import { profile } from './profile.js'
import { hasPeers, rates } from './rates.js'
import { replay } from './replay.js'
import { replicas } from './replicas.js'
import { asPage, print, save, type Table } from './report.js'
import { scenarios } from './scenarios.js'
import { starting } from './starting.js'
import { state } from './state.js'
import { suite } from './suite.js'
import { sweep } from './sweep.js'
import { ui } from './ui.js'

/**
 * `npm run bench [-- PART …]` measures, prints, and keeps the figures in bench/results; `--page` writes them to
 * docs/figures.md, with those of other parts as they were measured last. `--quick` measures less, in two minutes, and
 * keeps nothing. `--peers` installs the yardsticks that are no dependencies of the emulator, and measures nothing.
 */
const flags = ['--quick', '--page', '--peers']

type Part = () => Promise<readonly Table[]>

/** What is called most, and all of a quick run. */
const dailyParts: Readonly<Record<string, Part>> = {
  rates,
  held,
  bound,
  accounts,
  due,
  connections,
  state,
  starting,
  media,
}

const parts: Readonly<Record<string, Part>> = {
  ...dailyParts,
  suite,
  lines,
  profile,
  inputs,
  callbacks,
  scenarios,
  replay,
  helpers,
  sweep,
  replicas,
  ui,
}

const measure = async (names: readonly string[]): Promise<void> => {
  if (!hasPeers())
    console.log('Fastify, aimock and undici are not measured: `npm run bench -- --peers` installs them.')
  for (const name of names) {
    const begin = performance.now()
    try {
      const tables = await (parts[name] as Part)()
      console.log(`\n${name}, in ${Math.round((performance.now() - begin) / 1_000)} s`)
      tables.forEach(print)
      if (isQuick) continue
      const results = await save(name, tables)
      if (args.includes('--page'))
        await writeFile(new URL('../docs/figures.md', import.meta.url), asPage(results, Object.keys(parts)))
    } catch (error) {
      // What is measured after it is measured all the same.
      console.error(`\n${name} failed:`, error)
      process.exitCode = 1
    }
  }
}

const installPeers = () =>
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(new URL('peers', import.meta.url)),
    stdio: 'inherit',
    shell: true,
  })

const args = process.argv.slice(2)
const chosen = args.filter((arg) => !flags.includes(arg))
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}; parts are ${Object.keys(parts).join(', ')}.`)
if (args.includes('--peers')) installPeers()
else await measure(chosen.length > 0 ? chosen : Object.keys(isQuick ? dailyParts : parts))
