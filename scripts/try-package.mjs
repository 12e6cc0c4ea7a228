import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { install, installNode, isBatch, pack, run, spawnable } from './packed.mjs'

/**
 * Packs the package and uses it as somebody else would: installed from the tarball into an empty folder, imported as
 * ES module and as CommonJS, and started from the command line.
 */

const MOST_MIB = 150
const MOST_PACKED_MIB = 4
const SHOWN = 8
const DEAD = [
  '(',
  '-name',
  'coverage',
  '-o',
  '-name',
  'test',
  '-o',
  '-name',
  'tests',
  '-o',
  '-name',
  'tools',
  ')',
]

/** Says what takes the space of everything that is installed. @throws Error when it is more than it may be */
const weigh = (folder) => {
  const lines = run('du', ['-m', '-d', '2', 'node_modules'], folder).trim().split('\n')
  const sizes = lines.map((line) => line.split('\t')).map(([mib, path]) => ({ mib: Number(mib), path }))
  const all = sizes.find(({ path }) => path === 'node_modules').mib
  // Scopes are folders of packages.
  const packages = sizes.filter(({ path }) => /^node_modules\/(@[^/]+\/[^/]+|[^@.][^/]*)$/.test(path))
  const largest = packages.sort((one, other) => other.mib - one.mib).slice(0, SHOWN)
  console.log(`installed: ${all} MiB, of at most ${MOST_MIB}. The largest:`)
  for (const { mib, path } of largest) console.log(`  ${mib} MiB  ${path.replace('node_modules/', '')}`)
  // What packages publish and no program needs: the coverage report of fluent-ffmpeg is most of it.
  const dead = run(
    'find',
    ['node_modules', '-type', 'd', ...DEAD, '-prune', '-exec', 'du', '-sm', '{}', '+'],
    folder,
  )
  for (const line of dead
    .trim()
    .split('\n')
    .filter((one) => !one.startsWith('1\t')))
    console.log(`  dead weight: ${line.replace('\t', ' MiB  ').replace('node_modules/', '')}`)
  if (all > MOST_MIB) throw new Error(`That is more than ${MOST_MIB} MiB.`)
}

/** Without optional packages nothing ends but what needs them, and the shell that asks `doctor` lives on. */
const withoutOptional = (tarball) => {
  // Beside the other folder: packages of a folder above would be found.
  const home = `${folder}-without-optional`
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  install(home, '--omit=optional', tarball)
  // Several times: what is aborted before it has started is a matter of the instant.
  for (let count = 0; count < 5; count += 1) {
    const asked = 'PATH= "$0" node_modules/backlot/dist/cli.js doctor; echo "code $?"'
    const said = run('bash', ['-c', asked, process.execPath], home)
    for (const part of ['sharp', 'ffmpeg', 'code 1'])
      if (!said.includes(part))
        throw new Error(`Without optional packages doctor does not say ${part}:\n${said}`)
  }
  console.log('says what is missing without optional packages')
}

/**
 * Other package managers lay out dependencies in other ways: pnpm as a strict tree, Yarn (Plug'n'Play) without node_modules.
 * Node 20 comes with an npm that cannot resolve the peers of every package, optional ones included.
 */
const PACKAGE_MANAGERS = [
  { name: 'npm 10', from: 'npm@10.8.2', program: 'npm/bin/npm-cli.js', exec: ['exec', '--'] },
  { name: 'pnpm', from: 'pnpm@10.34.9', program: 'pnpm/bin/pnpm.cjs', exec: ['exec'] },
  { name: 'Yarn', from: '@yarnpkg/cli-dist@4.18.1', program: '@yarnpkg/cli-dist/bin/yarn.js', exec: [] },
]

const withOtherManagers = (tarball) => {
  for (const { name, from, program, exec } of PACKAGE_MANAGERS) {
    const home = `${folder}-${name}`
    const project = join(home, 'project')
    try {
      mkdirSync(project, { recursive: true })
      install(home, '--prefix', home, from)
      const manager = (...args) =>
        run(process.execPath, [join(home, 'node_modules', program), ...args], project)
      writeFileSync(join(project, 'package.json'), '{ "private": true }')
      // Without a file of its own, Yarn takes the folder as a part of the project around it.
      writeFileSync(join(project, 'yarn.lock'), '')
      manager('add', `backlot@file:${tarball}`)
      writeFileSync(join(project, 'story.mjs'), `import { startEmulator } from 'backlot'\n${story}`)
      manager(...exec, 'node', 'story.mjs')
      const said = manager(...exec, 'backlot', 'doctor')
      if (!/^ok +ffmpeg .*installed with the package/m.test(said))
        throw new Error(`Installed by ${name}, doctor says:\n${said}`)
      console.log(`works as it is installed by ${name}`)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
}

/** Other runtimes that run npm packages, with their own implementations of Node's modules. */
const RUNTIMES = [
  { name: 'Bun', from: 'bun@1.4.5', command: ['bun', '--bun'] },
  { name: 'Deno', from: 'deno@2.9.6', command: ['deno', 'run', '--allow-all'] },
]

const withOtherRuntimes = (tarball) => {
  for (const { name, from, command } of RUNTIMES) {
    const home = `${folder}-${name}`
    try {
      mkdirSync(home)
      writeFileSync(join(home, 'package.json'), '{ "private": true }')
      writeFileSync(join(home, 'story.mjs'), `import { startEmulator } from 'backlot'\n${story}`)
      install(home, tarball, from)
      run('npx', [...command, 'story.mjs'], home)
      const said = run('npx', [...command, 'node_modules/backlot/dist/cli.js', 'doctor'], home)
      if (!said.includes('Pictures and videos can be made here.'))
        throw new Error(`Run by ${name}, doctor says:\n${said}`)
      console.log(`works as it is run by ${name}`)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
}

const story = `
    const emulator = await startEmulator()
    const response = await fetch(emulator.url + '/provA/api/v1/services/aigc/multimodal-generation/generation', {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: JSON.stringify({
        model: 'alpha-image-3.0-pro',
        input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
        parameters: { size: '512*512' },
      }),
    })
    const { output } = await response.json()
    const picture = await fetch(output.choices[0].message.content[0].image)
    if (picture.headers.get('content-type') !== 'image/png') throw new Error('no picture: ' + (await picture.text()))
    await picture.arrayBuffer()
    await emulator.stop()`

/** An older Node ends with one line that says which one is needed: no import of a name that it lacks may come first. */
const onOldNode = (home) => {
  const node = join(installNode('18.20.8'), process.platform === 'win32' ? 'node.exe' : 'node')
  const wanted = /^\[?Backlot needs Node [\d.]+ or newer, this is 18\.20\.8\.\]?$/m
  for (const args of [['node_modules/backlot/dist/cli.js', 'start'], ['story.mjs'], ['story.cjs']]) {
    const { status, stderr } = spawnSync(node, args, { cwd: home, encoding: 'utf8' })
    if (status !== 1 || !wanted.test(stderr) || stderr.includes('SyntaxError'))
      throw new Error(`On Node 18, ${args[0]} says:\n${stderr}`)
  }
  console.log('says on Node 18 which Node it needs')
}

const folder = mkdtempSync(join(tmpdir(), 'backlot-package-'))
try {
  const { tarball, size, entryCount } = pack(folder)
  console.log(
    `packed: ${(size / 2 ** 20).toFixed(1)} MiB in ${entryCount} files, of at most ${MOST_PACKED_MIB}`,
  )
  if (size > MOST_PACKED_MIB * 2 ** 20) throw new Error(`That is more than ${MOST_PACKED_MIB} MiB.`)

  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const start = performance.now()
  install(folder, tarball)
  console.log(
    `installed in ${((performance.now() - start) / 1_000).toFixed(1)} s, of at most 60 on a quiet machine`,
  )
  weigh(folder)

  writeFileSync(join(folder, 'story.mjs'), `import { startEmulator } from 'backlot'\n${story}`)
  writeFileSync(
    join(folder, 'story.cjs'),
    `const { startEmulator } = require('backlot')\n;(async () => {${story}})().catch((error) => {\n  console.error(error)\n  process.exit(1)\n})`,
  )
  run(process.execPath, ['story.mjs'], folder)
  console.log('works as an ES module')
  run(process.execPath, ['story.cjs'], folder)
  console.log('works as CommonJS')
  onOldNode(folder)

  const server = spawn(...spawnable('npx', ['backlot', 'start', '--port', '0', '--json']), {
    cwd: folder,
    shell: isBatch('npx'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  const { url, pid } = JSON.parse(line)
  const { status } = await (await fetch(`${url}/_backlot/health`)).json()
  if (status !== 'ok') throw new Error(`health says ${status}`)
  const ended = once(server, 'exit')
  process.kill(pid, 'SIGTERM')
  await ended
  console.log('starts and stops from the command line')
  console.log(run('npx', ['backlot', 'doctor'], folder).trim())
  withoutOptional(tarball)
  withOtherManagers(tarball)
  withOtherRuntimes(tarball)
} finally {
  rmSync(`${folder}-without-optional`, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}
