import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { started } from '../cli/backlot.js'

const PRELOADED = fileURLToPath(new URL('./no-optional-packages.cjs', import.meta.url))
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** No optional package, and no ffmpeg on the PATH either. */
const environment = { NODE_OPTIONS: `--require ${PRELOADED}`, PATH: '/nowhere:/no/such/folder' }

/** Runs a line of a shell that is the leader of its process group, as a terminal's is. */
const inShell = async (line: string): Promise<{ code: number | null; out: string }> => {
  const child = spawn('/bin/sh', ['-c', line], {
    env: { ...environment, NODE: process.execPath, CLI },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let out = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  const [code] = await once(child, 'close')
  return { code, out }
}

test.skipIf(process.platform === 'win32')(
  'the doctor says what is missing and what to install, and the shell that called it continues',
  async () => {
    const { code, out } = await inShell('"$NODE" "$CLI" doctor; echo "ended with $?"')
    expect(out).toMatch(/^missing +sharp/m)
    expect(out).toMatch(
      /^missing +ffmpeg +There is no ffmpeg\.\n +Install the package @ffmpeg-installer\/ffmpeg/m,
    )
    expect(out).toMatch(/^missing +picture .*sharp does not load\.\n +Install the dependencies again/m)
    expect(out).toMatch(/^missing +video /m)
    expect(out).toMatch(/ended with 1\n$/)
    expect(code).toBe(0)
  },
)

test('no CommonJS module requires the client of shared stores: esbuild would have to find it', () => {
  const modules = readdirSync('dist').filter((name) => name.endsWith('.cjs'))
  const requiring = modules.filter((name) =>
    readFileSync(`dist/${name}`, 'utf8').includes('require("@redis/client")'),
  )
  expect(modules.length).toBeGreaterThan(10)
  expect(requiring).toEqual([])
})

test('an emulator starts, and a picture and a video say what is missing and what to install', async () => {
  const { url, process: child } = await started(['--timing', 'instant'], { environment })
  const ask = async (path: string, body?: object) => {
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
  const picture = await ask('/provA/api/v1/services/aigc/multimodal-generation/generation', {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
  })
  const tasks = '/provB/api/v3/contents/generations/tasks'
  const content = [{ type: 'text', text: 'a lighthouse' }]
  const { text } = await ask(tasks, { model: 'videoa-2-0-260128', content })
  const video = await ask(`${tasks}/${JSON.parse(text).id}`)
  const [pictureUrl] = /http[^"]+\/results\/[^"]+/.exec(picture.text) ?? []
  const [videoUrl] = /http[^"]+\/results\/[^"]+/.exec(video.text) ?? []
  const drawn = await Promise.all([pictureUrl, videoUrl].map((one) => ask(one ?? '')))
  expect(drawn.map(({ status }) => status)).toEqual([500, 500])
  expect(drawn[0]?.text).toContain('sharp')
  expect(drawn[0]?.text).toMatch(/Install/)
  expect(drawn[1]?.text).toMatch(/Install/)
  expect(child.exitCode).toBeNull()
})
