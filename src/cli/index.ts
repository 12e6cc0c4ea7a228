#!/usr/bin/env node
import module from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'

// Compile cache: from Node 22 on, V8's code of these modules is kept in the folder for temporary files, which makes the next
// start shorter. It serves what is imported after it.
const { enableCompileCache } = module as { enableCompileCache?(): void }
enableCompileCache?.()
const [{ formatError }, { run }] = await Promise.all([
  import('../command/command.js'),
  import('./program.js'),
])

// A reader may close its end (`backlot | head -1`); the emulator keeps running.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

process.on('uncaughtException', (error) => {
  process.stderr.write(`${formatError(error)}\n`)
  // The lines of this turn go out first.
  setImmediate(() => process.exit(1))
})

const FLUSH_TIMEOUT_MS = 1_000

const code = await run(process.argv.slice(2))
// Lines go out at the end of the turn in which they are printed.
await nextTurn()
// What was printed goes out first, unless the reader has stopped reading; nothing that is still open holds the process.
setTimeout(() => process.exit(code), FLUSH_TIMEOUT_MS)
process.stdout.write('', () => process.exit(code))
