#!/usr/bin/env node
import { told } from './command.js'
import { run } from './program.js'

// Whoever reads the output may stop reading (`backlot | head -1`); the emulator goes on.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

process.on('uncaughtException', (error) => {
  process.stderr.write(`${told(error)}\n`)
  process.exit(1)
})

const code = await run(process.argv.slice(2))
// What was printed goes out first; then nothing that is still open may hold the process.
process.stdout.write('', () => process.exit(code))
