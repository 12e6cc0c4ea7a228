import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, installNode, pack } from './packed.mjs'

/**
 * Runs every snippet of docs/clients.md with the published client package, in a folder of its own, against the packed
 * emulator: `npm run try-clients`. Most of the packages want Node 22, so that is installed from the registry as well.
 */
const packages = [
  'openai@7.59.0',
  'ai@7.0.173',
  '@ai-sdk/bytedance@1.0.29',
  '@ai-sdk/minimax@3.0.45',
  'mmx-cli@1.0.27',
  '@tanstack/ai-openai@0.23.1',
  'got@14.6.6',
  'axios@1.21.1',
  'axios-retry@4.5.0',
  'undici@7.30.2',
]
const SNIPPET = /^<!-- client: ([\w-]+) -->\n```(js|py)\n(.*?)^```$/gms

const snippets = [...readFileSync('docs/clients.md', 'utf8').matchAll(SNIPPET)].map(
  ([, name, language, code]) => ({
    name,
    file: language === 'js' ? `${name}.mjs` : `${name}.py`,
    code,
  }),
)
if (snippets.length === 0) throw new Error('docs/clients.md has no snippets.')

const folder = mkdtempSync(join(tmpdir(), 'backlot-clients-'))
try {
  const { tarball } = pack(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  install(folder, '--force', tarball, ...packages)
  const node = join(installNode('22.23.3'), 'node')
  const cli = join(folder, 'node_modules', 'backlot', 'dist', 'cli.js')
  for (const { name, file, code } of snippets) {
    writeFileSync(join(folder, file), code)
    const program = file.endsWith('.py') ? 'python3' : node
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [cli, 'exec', '--quiet', '--clock', 'on-poll', '--', program, file],
      { cwd: folder, encoding: 'utf8', timeout: 60_000 },
    )
    const passes = status === 0 && stdout.trim() !== ''
    console.log(`${name}: ${passes ? 'passes' : 'FAILS'}`)
    if (passes) continue
    console.error(`${stdout}\n${stderr}`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
