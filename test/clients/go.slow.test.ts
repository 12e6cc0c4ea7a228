import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inLanguages } from '../docs/blocks.js'
import { newFolder } from '../folder.js'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../clients/go', import.meta.url))

const isThere = spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0
// `.ci/run` asks for it where it can be installed.
const skipped = !isThere && process.env.GO_CLIENT !== 'required'

const go = async (folder: string, ...args: readonly string[]) => {
  const { BACKLOT_URL: _, ...environment } = process.env
  const child = spawn('go', args, {
    cwd: folder,
    env: {
      ...environment,
      BACKLOT_COMMAND: `${process.execPath}\n${CLI}`,
      GOTOOLCHAIN: 'local',
      GOPROXY: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      out += data
    })
  const [code] = await once(child, 'close')
  return { code, out }
}

test.skipIf(skipped)(
  'the tests of the Go package pass (skipped without go)',
  async () => {
    const ran = await go(FOLDER, 'test', '-count=1', '-v', './...')
    expect(ran).toEqual({ code: 0, out: expect.stringMatching(/--- PASS: \w+/) })
  },
  600_000,
)

test.skipIf(skipped)(
  'the test of the page passes',
  async () => {
    const folder = newFolder()
    const [block] = inLanguages('go')
    const code = block?.code ?? ''
    // What npx would start.
    const started = code.replace(
      'Start(t)',
      `Start(t, backlottest.Command(${JSON.stringify(process.execPath)}, ${JSON.stringify(CLI)}))`,
    )
    expect(started).not.toBe(code)
    writeFileSync(join(folder, 'page_test.go'), started)
    writeFileSync(join(folder, 'go.mod'), 'module page\n\ngo 1.19\n')
    const edit = ['-require=backlottest@v0.0.0', `-replace=backlottest=${FOLDER.replace(/\/$/, '')}`]
    expect((await go(folder, 'mod', 'edit', ...edit)).code).toBe(0)
    const ran = await go(folder, 'test', '-count=1', '-v', './...')
    expect(ran).toEqual({ code: 0, out: expect.stringMatching(/--- PASS: \w+/) })
  },
  600_000,
)
