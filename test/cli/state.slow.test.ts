import { execFile, execFileSync } from 'node:child_process'
import { lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { connectEmulator } from '../../src/emulator/client/remote.js'
import { startEmulator } from '../../src/index.js'
import { newFolder } from '../folder.js'
import { ended, endedHere, hasSignals, OWNER_ONLY, started } from './backlot.js'

const create = async (url: string, key = 'k'): Promise<string> => {
  const response = await fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }),
  })
  return ((await response.json()) as { id: string }).id
}

const idsAt = async (url: string, key = 'k') =>
  (await connectEmulator(url).account(key).tasks.list()).map(({ id }) => id)

test('a server that was killed continues from its state file', async () => {
  const file = join(newFolder(), 'state.jsonl')
  const first = await started(['--state', file])
  const id = await create(first.url)
  await connectEmulator(first.url).account('k').tasks.waitFor(id, 'running')
  first.process.kill('SIGKILL')
  await first.ended
  const second = await started(['--state', file])
  expect(await idsAt(second.url)).toEqual([id])
  const { status } = await connectEmulator(second.url).account('k').tasks.waitFor(id, 'succeeded')
  expect(status).toBe('succeeded')
})

test.skipIf(!hasSignals)('a server that is told to stop has written everything', async () => {
  const file = join(newFolder(), 'state.jsonl')
  const first = await started(['--state', file])
  const id = await create(first.url)
  first.process.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
  expect(await readFile(file, 'utf8')).toContain(id)
})

// A limit of the size of files stands for a full disk.
test.skipIf(process.platform === 'win32')(
  'a server that loses answered tasks at its stop fails',
  async () => {
    const file = join(newFolder(), 'state.jsonl')
    const limited = { before: ['bash', '-c', 'ulimit -f 4; exec "$0" "$@"'] }
    const server = await started(['--state', file], limited)
    for (let call = 0; call < 8; call += 1) expect(await create(server.url)).toMatch(/^cgt-/)
    server.process.kill('SIGTERM')
    const { code, err } = await server.ended
    expect(code).toBe(1)
    expect(err).toMatch(/could not be written to the end: EFBIG.*\. What happened since 2\S+Z is lost\.\n$/)
  },
)

test.skipIf(process.platform === 'win32')('an import that cannot be written to the end fails', async () => {
  const folder = newFolder()
  const { url } = await started()
  for (let call = 0; call < 8; call += 1) expect(await create(url)).toMatch(/^cgt-/)
  const document = join(folder, 'state.json')
  expect(await ended(['state', 'export', document, '--url', url])).toMatchObject({ code: 0 })
  const limited = { before: ['bash', '-c', 'ulimit -f 4; exec "$0" "$@"'] }
  const { code, out, err } = await ended(
    ['state', 'import', document, '--state', join(folder, 'state.jsonl')],
    limited,
  )
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/is lost\.\nbacklot: Not everything was imported: EFBIG: .*\.\nImport again .*\n$/)
})

test('a second server on the file says who has it', async () => {
  const file = join(newFolder(), 'state.jsonl')
  const first = await started(['--state', file])
  const { code, err } = await ended(['start', '--port', '0', '--state', file])
  expect(code).toBe(1)
  expect(err).toContain(`held by another Backlot: process ${first.pid} on `)
  expect(err).toContain(first.url)
})

test('a state file that cannot be read is refused with its line, and renamed with --state-fresh', async () => {
  const file = join(newFolder(), 'state.jsonl')
  await writeFile(file, '{"backlot":"state","version":1}\n["task"]\n["end"]\n')
  const { code, err } = await ended(['start', '--port', '0', '--state', file])
  expect(code).toBe(2)
  expect(err).toContain('in line 2, expected [kind, account, id, value], found ["task"]')
  await started(['--state', file, '--state-fresh'])
  expect(await readFile(`${file}.broken-1`, 'utf8')).toContain('["task"]')
})

test('the state of a running server is exported, and imported into another', async () => {
  const document = join(newFolder(), 'state.json')
  const [here, there] = [await started(), await started()]
  const id = await create(here.url)
  await create(there.url, 'in the way')
  const exported = await ended(['state', 'export', document, '--url', here.url])
  expect(exported).toMatchObject({ code: 0, out: `${document} holds 1 account.\n`, err: '' })
  expect((await stat(document)).mode & 0o777).toBe(OWNER_ONLY)
  const imported = await ended(['state', 'import', document], { environment: { BACKLOT_URL: there.url } })
  expect(imported.out).toBe(`1 account with 1 task came from ${document}.\n`)
  expect(await idsAt(there.url)).toEqual([id])
  expect(await idsAt(there.url, 'in the way')).toEqual([])
})

test.each([
  ['--url', 'http://127.0.0.1:4650'],
  ['--control-token', 'secret'],
])('%s is refused beside --state, since no emulator is asked', async (flag, value) => {
  const args = ['state', 'export', '-', '--state', 'state.jsonl', flag, value]
  expect(await endedHere(args)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`Expected ${flag} or --state, found both.`),
  })
})

test('an export overwrites no other file of the folder', async () => {
  const folder = newFolder()
  const emulator = await startEmulator()
  onTestFinished(() => emulator.stop())
  await writeFile(join(folder, 'state.json.begun'), 'mine')
  const { code } = await endedHere(['state', 'export', join(folder, 'state.json'), '--url', emulator.url])
  expect(code).toBe(0)
  expect(await readdir(folder)).toEqual(['state.json', 'state.json.begun'])
  expect(await readFile(join(folder, 'state.json.begun'), 'utf8')).toBe('mine')
})

test.skipIf(process.platform === 'win32')(
  'an export goes where a link leads, into a named pipe, and for - alone to standard output',
  async () => {
    const folder = newFolder()
    const [file, link, pipe] = ['file', 'link', 'pipe'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const { url } = await started()
    await create(url)
    const exported = (path: string) => ended(['state', 'export', path, '--url', url])
    const accounts = (text: string) => JSON.parse(text).accounts.map(({ key }: { key: string }) => key)

    await writeFile(file, 'old')
    await symlink(file, link)
    await exported(link)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect(accounts(await readFile(file, 'utf8'))).toEqual(['k'])

    execFileSync('mkfifo', [pipe])
    const read = promisify(execFile)('cat', [pipe], { timeout: 20_000 })
    await exported(pipe)
    expect(accounts((await read).stdout)).toEqual(['k'])

    const printed = await exported('-')
    expect(accounts(printed.out)).toEqual(['k'])
    expect(printed.err).toBe('backlot: The document holds 1 account.\n')
    expect((await readdir(folder)).sort()).toEqual(['file', 'link', 'pipe'])

    await rm(link)
    await symlink('/no/such/folder/x.json', link)
    expect(await exported(link)).toMatchObject({ code: 2, err: expect.stringContaining('cannot be written') })
  },
)

test('the account of a key that no call has named is not exported, and does not come into being', async () => {
  const document = join(newFolder(), 'state.json')
  const { url } = await started()
  expect(await ended(['state', 'export', document, '--url', url, '--key', 'nosuchkey'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('No account has this key.'),
  })
  const { items } = (await (await fetch(`${url}/_backlot/accounts`)).json()) as { items: { key: string }[] }
  expect(items.map(({ key }) => key)).not.toContain('nosuchkey')
})

test('an export into a folder that is not there is a sentence', async () => {
  const { url } = await started()
  expect(await ended(['state', 'export', '/no/such/folder/x.json', '--url', url])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/x\.json cannot be written: .*\n.*folder that is there\.\n$/),
  })
})

test('one account alone is exported from a file, and imported into one', async () => {
  const folder = newFolder()
  const [file, other, document] = ['state.jsonl', 'other.jsonl', 'state.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const server = await started(['--state', file])
  const [id] = [await create(server.url), await create(server.url, 'another')]
  const held = await ended(['state', 'export', document, '--state', file])
  expect(held).toMatchObject({ code: 1, err: expect.stringContaining('is held by') })
  server.process.kill('SIGTERM')
  await server.ended
  const [link, paths] = [join(folder, 'link.jsonl'), [file]]
  // Windows lets few users make links of files.
  if (process.platform !== 'win32') {
    await symlink(file, link)
    paths.push(link)
  }
  for (const same of paths)
    expect(await ended(['state', 'export', same, '--state', file])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected another file than the state file'),
    })
  expect((await ended(['state', 'export', document, '--state', file, '--key', 'k'])).out).toContain(
    '1 account.',
  )
  expect((await ended(['state', 'import', document, '--state', other])).code).toBe(0)
  const second = await started(['--state', other])
  expect(await idsAt(second.url)).toEqual([id])
  expect(await idsAt(second.url, 'another')).toEqual([])
})

test.each(['--state', '--url'])(
  'an import with %s leaves no other account, and with --key all others',
  async (place) => {
    const folder = newFolder()
    const document = join(folder, 'state.json')
    const holding = async (name: string, ...keys: readonly string[]): Promise<readonly string[]> => {
      const state = join(folder, name)
      const emulator = await startEmulator(place === '--state' ? { state } : {})
      onTestFinished(() => emulator.stop())
      for (const key of keys) await create(emulator.url, key)
      if (place === '--url') return [place, emulator.url]
      await emulator.stop()
      return [place, state]
    }
    const moved = async (verb: string, ...options: readonly string[]) => {
      expect(await endedHere(['state', verb, document, ...options])).toMatchObject({ code: 0 })
      const { accounts } = JSON.parse(await readFile(document, 'utf8'))
      return accounts
        .map(({ key, tasks }: { key: string; tasks: object[] }) => `${key} ${tasks.length}`)
        .sort()
    }
    const [here, there] = [await holding('here', 'a', 'b'), await holding('there', 'b', 'b', 'c')]
    expect(await moved('export', ...here, '--key', 'a')).toEqual(['a 1'])
    expect(await moved('export', ...here)).toEqual(['a 1', 'b 1'])
    await moved('import', ...there, '--key', 'a')
    expect(await moved('export', ...there)).toEqual(['a 1', 'b 2', 'c 1'])
    await moved('export', ...here)
    await moved('import', ...there)
    expect(await moved('export', ...there)).toEqual(['a 1', 'b 1'])
  },
)

test.each([
  ['a verb that is none', ['state', 'expose', 'x.json'], 'Expected export or import, found "expose"'],
  [
    'two places',
    ['state', 'export', 'x.json', '--url', 'http://127.0.0.1:1', '--state', 'y'],
    'Expected --url or --state',
  ],
  [
    'an emulator that does not answer',
    ['state', 'export', 'x.json', '--url', 'http://127.0.0.1:1'],
    'No emulator answers',
  ],
  ['no file', ['state', 'export', 'x.json', '--state', '/nowhere/state.jsonl'], 'There is no state file'],
  ['no document', ['state', 'import', '/nowhere/x.json'], 'There is no file /nowhere/x.json.'],
  ['a folder', ['state', 'import', '.'], '. is a folder; a file is needed.'],
])('%s is said', async (_, args, expected) => {
  const { code, err } = await ended(args)
  expect(code).toBe(2)
  expect(err).toContain(expected)
})

test('an edited document is refused when it is imported into a file', async () => {
  const folder = newFolder()
  const { url } = await started()
  const id = await create(url)
  const path = join(folder, 'state.json')
  await ended(['state', 'export', path, '--url', url])
  await writeFile(path, (await readFile(path, 'utf8')).replace('"ratio": "16:9"', '"ratio": "x"'))
  const { code, err } = await ended(['state', 'import', path, '--state', join(folder, 'state.jsonl')])
  expect(code).not.toBe(0)
  expect(err).toContain(`in the task ${id}, params.ratio must be `)
})
