import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { environmentWith, install, installNode, isBatch, pack, run, runWith, spawnable } from './packed.mjs'

/**
 * Compiles and runs a test against the packed package with the oldest and the newest version of each test framework that
 * docs/testing.md names, and one in each environment that has the globals of a page: `npm run try-frameworks`. Types are
 * checked strictly, those of libraries included (no skipLibCheck).
 */
const projects = [
  {
    name: 'vitest-oldest',
    framework: 'vitest',
    packages: ['vitest@3.2.0'],
    environments: { jsdom: 'jsdom@22.1.0', 'happy-dom': 'happy-dom@15.11.7' },
  },
  {
    name: 'vitest-newest',
    framework: 'vitest',
    packages: ['vitest@5.1.1', 'typescript@7.0.2'],
    environments: { jsdom: 'jsdom@29.1.1', 'happy-dom': 'happy-dom@21.0.4' },
    node: '22.23.3',
  },
  {
    name: 'jest-oldest',
    framework: 'jest',
    packages: ['jest@29.0.0', '@types/jest@29.5.14', 'expect@29.0.0'],
    environments: { jsdom: 'jest-environment-jsdom@29.0.0' },
  },
  {
    name: 'jest-newest',
    framework: 'jest',
    packages: ['jest@30.5.2', '@types/jest@30.0.0', 'expect@30.5.2', 'typescript@7.0.2'],
    environments: { jsdom: 'jest-environment-jsdom@30.5.2' },
  },
]

const body = `
const emulator = useEmulator()

test('a video', async () => {
  const tasks = emulator.url + '/provB/api/v3/contents/generations/tasks'
  const headers = { Authorization: 'Bearer ' + emulator.key }
  const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
  const created = await fetch(tasks, { method: 'POST', headers, body: JSON.stringify(order) })
  const { id } = JSON.parse(await created.text())
  await emulator.clock.advance('1h')
  await expect(emulator).toHaveReceived('b-video-task.create', { times: 1 })
  expect(await emulator.tasks.get(id)).toHaveSucceeded()
})
`
const wrong = `
// @ts-expect-error a misspelt option
export const misspelt = () => expect('http://x').toBeAVideo({ second: 5 })
`
const failing = `
const emulator = useEmulator()

test('fails by itself', async () => {
  await fetch(emulator.url + '/v1/videos/none', { headers: { Authorization: 'Bearer ' + emulator.key } })
  throw new Error('the reason of the test')
})
`
const judged = `
const emulator = useEmulator({ verdict: true })
const tasks = () => emulator.url + '/provB/api/v3/contents/generations/tasks'
const order = async () => {
  const body = JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] })
  await fetch(tasks(), { method: 'POST', headers: { Authorization: 'Bearer ' + emulator.key }, body })
}

test('abandons a task', order)
test('may abandon a task', async () => {
  emulator.allow('abandoned-task')
  await order()
  await expect(emulator).not.toHaveBehaved()
  await expect(emulator).toHaveBehaved({ allow: ['abandoned-task'] })
})
test('behaves', async () => {
  await expect(emulator).toHaveBehaved()
})
`
// A body that a worker reads, sent without `fetch`: the one of a page is another in each environment, and that of jsdom 20 none.
const page = `
const emulator = useEmulator({ corsOrigins: [location.origin] })

test('a large body with a picture', async () => {
  expect(typeof window).toBe('object')
  const png = process.getBuiltinModule('fs').readFileSync('node_modules/backlot/fixtures/media/first-frame.png')
  const url = 'data:image/png;base64,' + png.toString('base64')
  const content = [{ type: 'text', text: 'a lighthouse' }, { type: 'image_url', image_url: { url } }]
  const sent = process.getBuiltinModule('http').request(emulator.url + '/provB/api/v3/contents/generations/tasks', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + emulator.key },
  })
  sent.end(JSON.stringify({ model: 'videoa-2-0-260128', content }) + ' '.repeat(2 ** 20))
  const answer = await new Promise((resolve) => sent.on('response', resolve))
  expect(answer.statusCode).toBe(200)
  await emulator.clock.advance('1h')
  const [task] = await emulator.tasks.list()
  expect(task).toHaveSucceeded()
  await expect(png).toBeAnImage()
})
`
const heads = {
  vitest: `import { useEmulator } from 'backlot/vitest'\nimport 'backlot/matchers/vitest'\nimport { expect, test } from 'vitest'\n`,
  jest: `import { useEmulator } from 'backlot/jest'\nimport 'backlot/matchers/jest'\n`,
}
const requires = `const { useEmulator } = require('backlot/jest')\nrequire('backlot/matchers/jest')\n`
const options = [
  '--strict',
  '--noEmit',
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--moduleResolution',
  'nodenext',
]

/** The results of a test file by its framework, which it writes as JSON into a file, with what was printed on standard error. */
const resultsOf = (home, bin, framework, file) => {
  const command = framework === 'jest' ? ['jest', '--json'] : ['vitest', 'run', '--reporter=json']
  const report = join(home, 'report.json')
  const options = [...command, `--outputFile=${report}`, file]
  const { stderr } = spawnSync(...spawnable('npx', options), {
    shell: isBatch('npx'),
    cwd: home,
    encoding: 'utf8',
    env: environmentWith(bin),
  })
  const [{ assertionResults }] = JSON.parse(readFileSync(report, 'utf8')).testResults
  return { assertionResults, stderr }
}

/** A finding of the verdict fails its test, and no other one. */
const checkVerdict = (home, bin, framework) => {
  writeFileSync(join(home, 'judged.test.js'), (framework === 'jest' ? requires : heads.vitest) + judged)
  const { assertionResults, stderr } = resultsOf(home, bin, framework, 'judged.test.js')
  const states = assertionResults.map(({ status }) => status).join()
  const [message = ''] = assertionResults[0].failureMessages
  const isTold = message.includes('The client did not behave:') && message.includes('abandoned-task: cgt-')
  if (states !== 'failed,passed,passed' || !isTold)
    throw new Error(`The verdict is not told: ${states}\n${message}\n${stderr}`)
}

/** A test that fails and leaves loose ends is one failure, and what happened is printed. */
const checkFailure = (home, bin) => {
  writeFileSync(join(home, 'video.test.js'), requires + failing)
  const { assertionResults, stderr } = resultsOf(home, bin, 'jest', 'video.test.js')
  const failures = assertionResults.flatMap(({ failureMessages }) => failureMessages)
  if (failures.length !== 1 || !failures[0].includes('the reason of the test') || !stderr.includes('404'))
    throw new Error(`A failed test has ${failures.length} failures:\n${failures.join('\n')}\n${stderr}`)
}

/** Makes a project by copying one in which the packages that all of them have are installed. */
const copyProject = (base, name, type) => {
  const home = join(dirname(base), name)
  cpSync(base, home, { recursive: true, verbatimSymlinks: true })
  const manifest = JSON.parse(readFileSync(join(base, 'package.json'), 'utf8'))
  writeFileSync(join(home, 'package.json'), JSON.stringify({ ...manifest, type }))
  return home
}

const folder = mkdtempSync(join(tmpdir(), 'backlot-frameworks-'))
try {
  const { tarball } = pack(folder)
  const base = join(folder, 'base')
  mkdirSync(base)
  writeFileSync(join(base, 'package.json'), JSON.stringify({ private: true }))
  install(base, tarball, 'typescript@5.9.3', '@types/node@22')
  for (const { name, framework, packages, environments, node } of projects) {
    const home = copyProject(base, name, framework === 'jest' ? 'commonjs' : 'module')
    writeFileSync(join(home, 'types.ts'), `${heads[framework]}${body}${wrong}`)
    writeFileSync(join(home, 'video.test.js'), `${framework === 'jest' ? requires : heads.vitest}${body}`)
    install(home, '--force', ...packages)
    // From TypeScript 6 on, types are loaded where they are imported or named.
    const types = framework === 'jest' ? ['--types', 'jest'] : []
    run('npx', ['tsc', ...options, ...types, 'types.ts'], home)
    const bin = node === undefined ? undefined : installNode(node)
    runWith(bin, 'npx', framework === 'jest' ? ['jest'] : ['vitest', 'run'], home)
    console.log(`${name}: compiles and passes`)
    checkVerdict(home, bin, framework)
    if (framework === 'jest') checkFailure(home, bin)
    writeFileSync(join(home, 'page.test.js'), `${framework === 'jest' ? requires : heads.vitest}${page}`)
    install(home, '--force', ...Object.values(environments))
    for (const environment of Object.keys(environments)) {
      const command =
        framework === 'jest'
          ? ['jest', '--env', environment]
          : ['vitest', 'run', '--environment', environment]
      runWith(bin, 'npx', [...command, 'page.test.js'], home)
      console.log(`${name}: passes in ${environment}`)
    }
  }
  // Only its types are used, so that neither its Node nor a container engine is needed.
  const [, snippet] =
    /<!-- client: testcontainers -->\n```ts\n(.*?)^```$/ms.exec(readFileSync('docs/ci.md', 'utf8')) ?? []
  for (const version of ['11.14.0', '12.2.0']) {
    const home = copyProject(base, `testcontainers-${version}`, 'module')
    writeFileSync(join(home, 'types.ts'), snippet)
    install(home, '--force', '--ignore-scripts', `testcontainers@${version}`)
    // The types of what it depends on do not all pass without skipLibCheck.
    run('npx', ['tsc', ...options, '--skipLibCheck', 'types.ts'], home)
    console.log(`testcontainers ${version}: compiles`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
