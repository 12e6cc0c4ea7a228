import { readdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { command, diagnoseHealth } from '../../src/cli/doctor.js'
import { host } from '../../src/cli/program.js'
import { startEmulator } from '../../src/index.js'
import { newFolder } from '../folder.js'
import { ended, endedHere } from './backlot.js'

describe('doctor', () => {
  test('the doctor makes a picture and a video, and names the tools', async () => {
    const { code, out } = await ended(['doctor'])
    expect(out).toMatch(/^ok +node +v\d+/m)
    expect(out).toMatch(/^ok +sharp +\d[\w.]+, libvips \d/m)
    expect(out).toMatch(
      /^ok +font +(\/|\w:\\).+[\\/]assets[\\/]fonts[\\/]NotoSansSC-Medium-outlines\.txt\.br$/m,
    )
    expect(out).toMatch(/^ok +ffmpeg +\S+, \w.+: (\/|\w:\\)/m)
    expect(out).toMatch(/^ok +picture +png, 256x144, \d+ bytes$/m)
    expect(out).toMatch(/^ok +video +mp4, h264 and aac, 256x144, 1 s, \d+ bytes$/m)
    expect(code).toBe(0)
  })

  test('a Node that loads no addons is told how it does', async () => {
    const { code, out } = await ended(['doctor'], { environment: { NODE_OPTIONS: '--no-addons' } })
    expect(code).toBe(1)
    expect(out).toMatch(/^missing +sharp .*does not load\.\n +Let Node load addons: /m)
  })

  test('an ffmpeg that does not run is missing, and so are videos', async () => {
    const { code, out } = await ended(['doctor', '--set', 'ffmpeg=/no/such/ffmpeg'])
    expect(code).toBe(1)
    expect(out).toMatch(/^ok +picture /m)
    expect(out).toMatch(/^missing +ffmpeg +The setting ffmpeg names \/no\/such\/ffmpeg/m)
    expect(out).toMatch(/^missing +video /m)
    expect(out).toMatch(/2 things are missing/)
  })

  test('a folder for media that cannot be used is told, with the setting', async () => {
    const { code, out } = await ended(['doctor', '--set', `mediaFolder=${resolve('package.json')}/media`])
    expect(code).toBe(1)
    expect(out).toMatch(
      /^missing +picture +A picture could not be kept: a file is where a folder should be \(ENOTDIR, /m,
    )
    expect(out).toMatch(/^missing +video +A video could not be rendered: a file is where/m)
    expect(out).toContain('name another folder with the setting mediaFolder')
  })

  test('the folder of the media cache is told, with what it holds', async () => {
    const folder = newFolder()
    const doctor = (value: string) => ended(['doctor', '--set', `mediaCache=${value}`])
    expect((await doctor(folder)).out).toContain(`cache      ${folder}, empty\n`)
    await writeFile(`${folder}/1-entry`, Buffer.alloc(2 ** 20))
    expect((await doctor(folder)).out).toContain(`cache      ${folder}, 1.0 MiB of rendered media\n`)
    expect((await doctor('none')).out).toMatch(/^ok +cache +none, by the setting mediaCache$/m)
    const { code, out } = await doctor(resolve('package.json'))
    expect(code).toBe(1)
    expect(out).toMatch(
      /^missing +cache +Rendered media cannot be kept in .+package\.json: a part of its path is no folder$/m,
    )
    expect(out).toContain('--set mediaCache=FOLDER')
  })

  test('the doctor leaves nothing in the folder for media', async () => {
    const folder = newFolder()
    const { code } = await ended(['doctor', '--set', `mediaFolder=${folder}/media`])
    expect(code).toBe(0)
    expect(await readdir(`${folder}/media`)).toEqual([])
  })
})

describe('doctor at', () => {
  test.each([
    ['--set', 'ffmpeg=/no/such/ffmpeg'],
    ['--config', 'backlot.config.yaml'],
  ])('an emulator does not take %s, whose settings are its own', async (flag, value) => {
    const args = ['doctor', '--url', 'http://127.0.0.1:1', flag, value]
    expect(await endedHere(args)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Expected --url or ${flag}, found both.`),
    })
  })

  test.each(['doctor', 'replay'])(
    'a control token without the URL of an emulator is refused: %s',
    async (name) => {
      const args = [
        name,
        ...(name === 'replay' ? [resolve('package.json')] : []),
        '--control-token',
        'secret',
      ]
      expect(await endedHere(args)).toMatchObject({
        code: 2,
        err: expect.stringContaining('Expected --url beside --control-token, found none.'),
      })
    },
  )

  /** What `backlot doctor --url …` prints, and its exit code. */
  const examined = async (url: string, controlToken?: string): Promise<{ code: number; out: string }> => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      const options = { url, ...(controlToken === undefined ? {} : { controlToken }) }
      const code = await command.run({ options, operands: [] }, host)
      return { code, out: write.mock.calls.map(([text]) => String(text)).join('') }
    } finally {
      write.mockRestore()
    }
  }

  const opened = async (settings: Parameters<typeof startEmulator>[0] = {}) => {
    const emulator = await startEmulator(settings)
    onTestFinished(() => emulator.stop())
    return emulator
  }

  const create = (url: string, change: object = {}) =>
    fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
      method: 'POST',
      headers: { authorization: 'Bearer a-key' },
      body: JSON.stringify({
        model: 'videoa-2-0-260128',
        content: [{ type: 'text', text: 'A lighthouse' }],
        ...change,
      }),
    })

  test('the doctor lists what it has checked where nothing is wrong', async () => {
    const { url } = await opened({ clock: 'live', speed: 60 })
    const { code, out } = await examined(url)
    expect(out).toMatch(/^ok +server +version \d/m)
    expect(out).toMatch(/^ok +clock +live at 60 times the speed, 20/m)
    expect(out).toMatch(/^ok +bounds +none of them was met, and none is near$/m)
    expect(out).toMatch(/^ok +callbacks +none was sent so far$/m)
    expect(out).toMatch(/^ok +picture +png, /m)
    expect(out).toMatch(/^ok +video +mp4, /m)
    expect(out).toContain(`Nothing is wrong at ${url}.`)
    expect(code).toBe(0)
  })

  test('calls that were refused for a bound are wrong, and the setting is named', async () => {
    const { url } = await opened({ clock: 'paused', tasksPerAccount: 1 })
    await create(url)
    await create(url)
    const { code, out } = await examined(url)
    expect(out).toMatch(/^wrong +bound +tasks of an account: 1 of 1, and once a call was refused$/m)
    expect(out).toContain('Raise the setting tasksPerAccount')
    expect(out).toContain(`One thing is wrong at ${url}.`)
    expect(code).toBe(1)
  })

  test('a bound that evicts is reported when it is near', async () => {
    const { url } = await opened({ tasksPerAccount: 10 })
    for (let count = 0; count < 9; count += 1) await create(url)
    const { code, out } = await examined(url)
    expect(out).toMatch(
      /^ok +bound +tasks of an account: 9 of 10, which is near; then .*when none has ended, new ones are refused$/m,
    )
    expect(code).toBe(0)
  })

  test('evictions are reported, and not wrong', async () => {
    const { url } = await opened({ journalEntries: 1 })
    await create(url)
    await create(url)
    const { code, out } = await examined(url)
    expect(out).toMatch(
      /^ok +bound +calls in the journal of an account: 1 of 1, met once: the oldest call is evicted$/m,
    )
    expect(code).toBe(0)
  })

  test('callbacks that fail are something wrong', async () => {
    const emulator = await opened({ timing: 'instant' })
    await create(emulator.url, { callback_url: 'http://127.0.0.1:1/nobody' })
    await emulator.account('a-key').clock.advance({ to: 'idle' })
    const { code, out } = await examined(emulator.url)
    expect(out).toMatch(/^wrong +callbacks +0 delivered, \d failed, \d not sent$/m)
    expect(code).toBe(1)
  })

  type Health = Parameters<typeof diagnoseHealth>[0]

  const health = (bound: Partial<Health['bounds'][number]>): Health => ({
    ...{ status: 'ok', version: '1.0.0', pid: 1, instance: 'one', uptime_ms: 1_000, memoryBytes: 0 },
    ...{ errors: 0, logFile: null, stateFile: null },
    clock: { mode: 'live', speed: 1, now: '2026-01-01T00:00:00.000Z' },
    callbacks: {},
    renders: {},
    troubles: [],
    bounds: [
      {
        ...{ name: 'waits', of: 'waits', settings: ['waitsAtOnce'], most: 10, per: 'emulator', size: 0 },
        ...{ peak: 0, hits: 0, refused: 0, kind: 'refuses', atBound: 'another one is refused' },
        ...bound,
      },
    ],
  })

  const boundsSaid = (bound: Partial<Health['bounds'][number]>) =>
    diagnoseHealth(health(bound))
      .filter(({ what }) => what.startsWith('bound'))
      .map(({ isFine, detail }) => `${isFine ? 'ok' : 'wrong'}: ${detail}`)

  test('a bound that only refuses is wrong when it is near, and not before', () => {
    expect(boundsSaid({ size: 9 })).toEqual([
      'wrong: waits: 9 of 10, which is near; then another one is refused',
    ])
    expect(boundsSaid({ size: 8 })).toEqual(['ok: none of them was met, and none is near'])
  })

  test('a full bound that evicts is not wrong', () =>
    expect(boundsSaid({ size: 10, kind: 'forgets' })).toEqual([
      'ok: waits: 10 of 10, which is near; then another one is refused',
    ]))

  test('a state file is named, unless it cannot be written', () => {
    const kept = { ...health({}), stateFile: 'state.json' }
    const detail = 'what happens is written into state.json'
    expect(diagnoseHealth(kept)).toContainEqual({ what: 'state', isFine: true, detail })
    const troubles = [{ need: 'state', says: 'It cannot be written.', hint: '' }]
    const findings = diagnoseHealth({ ...kept, troubles })
    expect(findings.map(({ what }) => what)).not.toContain('state')
    expect(findings).toContainEqual({ what: 'trouble', isFine: false, detail: 'It cannot be written.' })
  })

  test('faults of the machine are wrong', () => {
    const troubles = [
      { need: 'videos', says: 'Videos cannot be rendered: There is no ffmpeg.', hint: 'Install one.' },
    ]
    expect(diagnoseHealth({ ...health({}), troubles })).toContainEqual({
      what: 'trouble',
      isFine: false,
      detail: troubles[0]?.says,
      hint: 'Install one.',
    })
  })

  test('an ffmpeg that is missing there is something wrong', async () => {
    const { url } = await opened({ ffmpeg: '/no/such/ffmpeg' })
    const { code, out } = await examined(url)
    expect(out).toMatch(/^wrong +ffmpeg +The setting ffmpeg names/m)
    expect(code).toBe(1)
  })

  test('the doctor sends the token', async () => {
    const { url } = await opened({ controlToken: 'a-token' })
    await expect(examined(url)).rejects.toMatchObject({ code: 'token-needed' })
    expect((await examined(url, 'a-token')).code).toBe(0)
  })

  test.each([
    ['state', 'export', 'state.json'],
    ['doctor', '--control-token', 'wrong'],
  ])('%s %s without the right token says how a command takes it', async (...args) => {
    const { url } = await opened({ controlToken: 'a-token' })
    const { code, err } = await ended([...args, '--url', url])
    expect({ code, hint: err.split('\n')[1] }).toEqual({
      code: 2,
      hint: 'Give its token with --control-token or $BACKLOT_CONTROL_TOKEN.',
    })
  })

  test('the doctor says that no emulator answers', async () => {
    await expect(examined('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'unreachable' })
  })
})
