import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../folder.js'
import { backlot, ended, endedHere, started } from './backlot.js'
import { har } from './har.js'
import { recorded } from './recorded.js'
import { control, createVideo } from './requests.js'

const read = (file: string) => readFile(file, 'utf8')

/** A recording in which the usage of the first answer has another count, and a field more. */
const recordedWith = async (count: string, field: string): Promise<string> => {
  const file = await recorded(newFolder())
  const text = await read(file)
  await writeFile(file, text.replace('"image_count":1', count).replace('"usage":{', `"usage":{${field},`))
  return file
}

test('a recording of start is replayed without a difference', async () => {
  const file = await recorded(newFolder())
  expect(await read(file)).not.toContain('secret-key')
  expect(await ended(['replay', file])).toEqual({
    ...{ code: 0, err: '' },
    out: '4 calls and 3 callbacks, all as they were recorded.\n',
  })
})

test('a difference is shown with its line, its field and both values', async () => {
  const file = await recordedWith('"image_count":2', '"old":true')
  const { code, out } = await ended(['replay', file])
  expect(code).toBe(1)
  expect(
    out,
  ).toBe(`line 3  POST /provA/api/v1/services/aigc/multimodal-generation/generation  (a-image.create)
  usage.old
    recorded  true
    now       (nothing)

4 calls and 3 callbacks: 1 outcome differs.
`)
})

test('control characters of a recording do not reach the terminal', async () => {
  const file = await recordedWith('"image_count":"\u009b2J"', '"old\\u001b[2J":true')
  const { code, out } = await endedHere(['replay', file])
  expect(code).toBe(1)
  expect(out).toContain('old�[2J')
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('an action that this version does not have is a difference', async () => {
  const file = await recorded(newFolder())
  await writeFile(file, (await read(file)).replace('"action":"tasks.force"', '"action":"tasks.forse"'))
  const { code, out, err } = await ended(['replay', file])
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(out).toContain('now       "This version cannot do tasks.forse."')
})

test('settings of a recording that name files and programs are not followed', async () => {
  const file = await recorded(newFolder())
  await writeFile(
    file,
    (await read(file)).replace(
      '"settings":{',
      '"settings":{"host":"no.such.host.invalid","mediaFolder":"/no/such",',
    ),
  )
  expect(await ended(['replay', file])).toEqual({
    ...{ code: 0, err: '' },
    out: '4 calls and 3 callbacks, all as they were recorded.\n',
  })
})

test('the first 20 of many differences are shown, and all with --all', async () => {
  const folder = newFolder()
  const file = join(folder, 'many.jsonl')
  const session = await recorded(folder)
  const [head = '', account = '', call = ''] = (await read(session)).split('\n')
  const calls = Array.from({ length: 22 }, () => call.replace('"status":200', '"status":201'))
  await writeFile(file, `${[head, account, ...calls].join('\n')}\n`)
  const some = await ended(['replay', file])
  expect(some.out.match(/^line /gm)).toHaveLength(20)
  expect(some.out).toContain('22 calls: 22 outcomes differ. 2 of them not shown; --all shows all.')
  expect((await ended(['replay', file, '--all'])).out.match(/^line /gm)).toHaveLength(22)
})

test('the answers of a killed emulator are in its recording', async () => {
  const file = join(newFolder(), 'killed.jsonl')
  const { url, process, ended: over } = await started(['--record', file])
  await createVideo(url)
  process.kill('SIGKILL')
  await over
  expect((await ended(['replay', file])).out).toBe('1 call, all as they were recorded.\n')
})

test('a recording that is there already is kept under another name', async () => {
  const file = join(newFolder(), 'session.jsonl')
  await writeFile(file, 'the first')
  const { process, ended: over } = await started(['--record', file])
  process.kill('SIGTERM')
  expect((await over).err).toContain(`${file} was there already; it is kept as ${file}.old-1.\n`)
  expect(await readFile(`${file}.old-1`, 'utf8')).toBe('the first')
  expect(await readFile(file, 'utf8')).toContain('"kind"')
})

test.each([
  ['stays as it was', ['the first']],
  ['stays empty', ['']],
  ['is not begun', []],
])('a recording %s where the port is taken', async (_, before) => {
  // A program that does not answer is waited for: it may be an emulator.
  const taken = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const folder = newFolder()
  const file = join(folder, 'session.jsonl')
  for (const text of before) await writeFile(file, text)
  const { port } = taken.address() as AddressInfo
  const { code, err } = await ended(['start', '--port', String(port), '--record', file])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^backlot: Port \d+ on .* is taken/) })
  expect(await readdir(folder)).toEqual(before.map(() => 'session.jsonl'))
  for (const text of before) expect(await readFile(file, 'utf8')).toBe(text)
})

test('exec records what its command does', async () => {
  const file = join(newFolder(), 'exec.jsonl')
  const call = 'await fetch(process.env.BACKLOT_URL + "/no/such/path")'
  const run = await ended([
    'exec',
    '--record',
    file,
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    call,
  ])
  expect(run).toEqual({ code: 0, out: '', err: '' })
  expect((await ended(['replay', file])).code).toBe(0)
})

describe('against an emulator that runs elsewhere', () => {
  test('as often as one likes, beside what is there', async () => {
    const file = await recorded(newFolder())
    const { url } = await started(['--callback-hosts', '127.0.0.1'])
    await createVideo(url)
    for (let round = 0; round < 2; round += 1)
      expect(await ended(['replay', file, '--url', url])).toEqual({
        ...{ code: 0, err: '' },
        out: '4 calls, all as they were recorded.\n',
      })
  })

  test('a callback is sent again once it has arrived', async () => {
    const file = join(newFolder(), 'again.jsonl')
    const { url, process, ended: over } = await started(['--clock', 'paused', '--record', file])
    for (const nth of [1, 2, 3]) {
      const made = await createVideo(url, { callback_url: `${url}/_backlot/inbox/again` })
      const { id } = (await made.json()) as { id: string }
      await control(url, `/wait?for=callback&kind=delivery&count=${nth}`, {})
      await control(url, `/callbacks/${id}-1/redeliver`, { method: 'POST' })
    }
    process.kill('SIGTERM')
    await over
    const elsewhere = await started(['--clock', 'paused'])
    expect(await ended(['replay', file, '--url', elsewhere.url])).toMatchObject({ code: 0, err: '' })
  })

  test('a call without a key leaves the request ids of the account `default` as they were', async () => {
    const file = join(newFolder(), 'default.jsonl')
    const { url, process, ended: over } = await started(['--clock', 'paused', '--record', file])
    const ask = (headers = {}) => fetch(`${url}/v1/videos/x`, { headers }).then(({ status }) => status)
    const statuses = [await ask(), await ask({ authorization: 'Bearer default' })]
    expect(statuses).toEqual([401, 404])
    process.kill('SIGTERM')
    await over
    const elsewhere = await started(['--clock', 'paused'])
    expect(await ended(['replay', file, '--url', elsewhere.url])).toMatchObject({ code: 0, err: '' })
  })

  test('scenarios that were given at the start play again, in their order', async () => {
    const folder = newFolder()
    const scenarioFile = async (name: string, status: number) => {
      const steps = [{ when: { operation: 'b-video-task.create' }, then: { answer: { status, text: name } } }]
      const path = join(folder, `${name}.json`)
      await writeFile(path, JSON.stringify({ name, says: 'Things go wrong.', steps }))
      return ['--scenario', path]
    }
    const scenarios = [...(await scenarioFile('first', 502)), ...(await scenarioFile('second', 503))]
    const file = join(folder, 'session.jsonl')
    const { url, process, ended: over } = await started(['--clock', 'paused', ...scenarios, '--record', file])
    expect((await createVideo(url)).status).toBe(502)
    process.kill('SIGTERM')
    await over
    const elsewhere = await started(['--clock', 'paused'])
    expect(await ended(['replay', file, '--url', elsewhere.url])).toEqual({
      ...{ code: 0, err: '' },
      out: '1 call, all as they were recorded.\n',
    })
  })

  test('settings that are others are named', async () => {
    const file = await recorded(newFolder())
    const { url } = await started(['--seed', '2'])
    const { code, out, err } = await ended(['replay', file, '--url', url])
    expect(code).toBe(1)
    expect(err).toContain(`The setting seed is 2 at ${url} and was 1`)
    expect(out).toContain('headers.x-request-id')
  })

  test('that wants a token', async () => {
    const file = await recorded(newFolder())
    const { url } = await started(['--control-token', 'open-sesame'])
    expect((await ended(['replay', file, '--url', url])).code).toBe(2)
    const given = ['replay', file, '--url', url, '--control-token', 'open-sesame']
    expect((await ended(given)).code).toBe(0)
    const environment = { BACKLOT_CONTROL_TOKEN: 'open-sesame' }
    expect((await ended(['replay', file, '--url', url], { environment })).code).toBe(0)
  })
})

describe('what cannot run says why, with exit code 2', () => {
  test.each([
    ['no file', ['replay'], "missing required argument 'file'"],
    ['a file that is not there', ['replay', 'nowhere.jsonl'], 'There is no file nowhere.jsonl.'],
    [
      'a file that is no recording',
      ['replay', resolve('package.json')],
      'package.json cannot be read as a recording.\nIt is one JSON document; a recording has a JSON object in each line.\n',
    ],
    ['a folder', ['replay', '.'], '. is a folder; a file is needed.'],
    ['a folder of settings', ['start', '--config', '.'], 'is a folder; a file is needed.'],
    [
      'a place that cannot be written to',
      ['start', '--port', '0', '--record', '/no/such/folder/x'],
      'The recording cannot be written to /no/such/folder/x',
    ],
  ])('%s', async (_, args, message) => {
    const { code, err } = await ended(args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  // Of a file with a hole nothing is written; Windows writes it.
  test.skipIf(process.platform === 'win32')('a file that is longer than a text can be', async () => {
    const file = join(newFolder(), 'long.jsonl')
    await writeFile(file, '')
    await truncate(file, 3 * 2 ** 30)
    const { code, err } = await endedHere(['replay', file])
    expect(code).toBe(2)
    expect(err).toBe(
      `backlot: ${file} cannot be read: it has more than 512 MB.\nThe first lines of a recording are a recording too: \`head -n 100000 FILE > part.jsonl\` writes such a one.\n`,
    )
  })

  test.each([
    [
      'no URL',
      'localhost:4650',
      '--url must be a URL that begins with http:// or https://, found "localhost:4650"',
    ],
    ['a port where nothing listens', 'http://127.0.0.1:9', 'No emulator answers at http://127.0.0.1:9'],
  ])('%s', async (_, url, message) => {
    const file = await recorded(newFolder())
    const { code, err } = await ended(['replay', file, '--url', url])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  })

  test('something else that answers there', async () => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, err } = await ended(['replay', await recorded(newFolder()), '--url', url])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is no emulator') })
  })

  test.each([
    [
      'settings that this version does not have',
      ['"strict":false', '"stricter":false'],
      'stricter is no setting, did you mean strict?',
    ],
    [
      'a method that is none',
      ['"method":"POST"', '"method":"PO ST"'],
      'line 3: request.method must be an HTTP method, found "PO ST".',
    ],
    [
      'a scenario that cannot be played',
      ['"settings":', '"scenarios":[{"name":"mine"}],"settings":'],
      'Line 1, scenarios[0]: The scenario cannot be played.\nsteps: steps is missing',
    ],
  ])('a recording with %s', async (_, [from = '', to = ''], message) => {
    const file = await recorded(newFolder())
    await writeFile(file, (await read(file)).replace(from, to))
    const { code, err } = await ended(['replay', file])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  })
})

/** Runs a line as bash does, with this program as `backlot`. */
const typed = (line: string, folder: string): Promise<{ code: number; out: string; err: string }> => {
  const cli = resolve('dist/cli.js')
  const script = `backlot() { "${process.execPath}" "${cli}" "$@"; }\n${line}\n`
  return new Promise((done) => {
    execFile('bash', ['-c', script], { cwd: folder }, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

// They are typed into bash.
test.skipIf(process.platform === 'win32')(
  'every command of docs/replay.md does what it says, one after the other',
  async () => {
    const folder = newFolder()
    const page = await readFile(new URL('../../docs/replay.md', import.meta.url), 'utf8')
    const lines = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, code = '']) =>
      code.trim().split('\n'),
    )
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'node client.mjs' } }))
    await writeFile(join(folder, 'client.mjs'), 'await fetch(process.env.BACKLOT_URL + "/no/such/path")')
    await writeFile(
      join(folder, 'production.har'),
      har([{ method: 'POST', url: 'https://api.example.test/v1/videos', status: 502, answer: '<html>' }]),
    )
    const elsewhere = await started(['--clock', 'on-poll'])
    await createVideo(elsewhere.url, { duration: 99 })

    const outcomes: string[] = []
    for (const line of lines) {
      if (line.startsWith('backlot start')) {
        const { url, process, ended: over } = await startedBy(line, folder)
        await createVideo(url)
        process.kill('SIGTERM')
        outcomes.push(`${line}: ${(await over).code}`)
        continue
      }
      const { code, out, err } = await typed(line.replaceAll('http://127.0.0.1:4650', elsewhere.url), folder)
      outcomes.push(`${line}: ${code}${code === 0 ? '' : ` ${out} ${err}`}`)
    }
    expect(outcomes).toEqual(lines.map((line) => `${line}: 0`))
    expect(lines.length).toBeGreaterThan(7)
    expect(await read(join(folder, 'bad-day.test.ts'))).toContain('bad-day.yaml')
    // Ten programs one after the other, each of which takes seconds on a busy machine.
  },
  90_000,
)

const startedBy = async (line: string, folder: string) => {
  const args = [...line.split(' ').slice(1), '--port', '0', '--json']
  const running = backlot(args, { folder })
  return { ...running, ...(JSON.parse(await running.line()) as { url: string }) }
}
