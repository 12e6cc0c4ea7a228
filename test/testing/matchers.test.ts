import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type EmulatorSettings, type OperationName, startEmulator } from '../../src/index.js'
import { type DeliveredOptions, matchers } from '../../src/testing/matchers/index.js'
import { holds } from '../../src/testing/matchers/outcome.js'
import '../../src/testing/matchers/vitest.js'
import { startReceiver } from '../emulator/callbacks/receiver.js'
import { bodies, clientOf, paths } from '../emulator.js'

const renderer = async (settings: EmulatorSettings = {}) => {
  const emulator = await startEmulator({ clock: 'paused', ...settings })
  onTestFinished(() => emulator.stop())
  return { emulator, ...clientOf(emulator.url, emulator.key) }
}

const messageOf = async (matching: Promise<unknown> | (() => unknown)): Promise<string> => {
  try {
    await (typeof matching === 'function' ? matching() : matching)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('the matcher has passed')
}

const wasRead = async (): Promise<Response> => {
  const response = new Response('<Error>')
  await response.text()
  return response
}

const fixture = (name: string) => readFile(`fixtures/media/${name}`)

describe('toHaveReceived', () => {
  test.each<[string, unknown[], string]>([
    ['an operation', [], 'toHaveReceived: operation must be a string that is not empty, found nothing.'],
    ['options', ['a-image.create', null], 'toHaveReceived: options must be an object, found null.'],
  ])('wants %s', async (_, given, sentence) => {
    const { emulator } = await renderer()
    expect(await messageOf(() => expect(emulator).toHaveReceived(...(given as [never])))).toBe(sentence)
  })

  test('tells calls by their operation, number, status and body', async () => {
    const { emulator, createB, createImage } = await renderer()
    await createB({ duration: 7 })
    await createB({ duration: 99 })
    await createImage({ size: '512*512' })
    await expect(emulator).toHaveReceived('b-video-task.create', { times: 2 })
    await expect(emulator).toHaveReceived('b-video-task.*', { status: 400, times: 1 })
    await expect(emulator).toHaveReceived('b-video-task.create', { body: { duration: 7 } })
    await expect(emulator).toHaveReceived('a-image.create', {
      body: { model: expect.stringMatching(/^alpha/) },
    })
    await expect(emulator).not.toHaveReceived('f-video-v2.create')
  })

  test('compares bodies in Playwright, whose equals throws', async () => {
    const { emulator, createB } = await renderer()
    await createB({ duration: 7 })
    const playwright = {
      ...{ isNot: false, promise: '', timeout: 5_000, utils: { stringify: String } },
      equals: (): boolean => {
        throw new Error('custom expect matchers that are not compatible with Playwright')
      },
    }
    const matches = async (body: unknown) =>
      (await matchers.toHaveReceived.call(playwright, emulator, 'b-video-task.create', { body })).pass
    expect(await matches({ duration: 7, content: [{ type: 'text', text: expect.any(String) }] })).toBe(true)
    for (const other of [
      { duration: 8 },
      { durations: 7 },
      { content: [] },
      { content: {} },
      new Date(),
      'text',
      null,
    ])
      expect(await matches(other)).toBe(false)
  })

  test('counts more calls than a page of the journal has', async () => {
    const { emulator, statusOfB } = await renderer({ journalEntries: 2_000 })
    // In turns, so that connections are used again.
    for (let turn = 0; turn < 77; turn += 1)
      await Promise.all(Array.from({ length: 13 }, () => statusOfB('cgt-none')))
    await expect(emulator).toHaveReceived('b-video-task.read', { times: 1_001 })
  })

  test('does not tell what calls that were evicted could change', async () => {
    const { emulator, createB, createImage } = await renderer({ journalEntries: 2 })
    await createImage({ size: '512*512' })
    for (let calls = 0; calls < 3; calls += 1) await createB()
    await expect(emulator).toHaveReceived('b-video-task.create')
    await expect(emulator).not.toHaveReceived('b-video-task.create', { times: 1 })
    const sentence = (what: string) =>
      `How often ${what} came cannot be told: the account has evicted 2 of its calls (setting journalEntries).\nGive the setting a larger number.`
    for (const matching of [
      () => expect(emulator).not.toHaveReceived('a-image.create'),
      () => expect(emulator).toHaveReceived('a-image.create'),
      () => expect(emulator).toHaveReceived('a-image.create', { times: 1 }),
    ])
      expect(await messageOf(matching)).toBe(sentence('a-image.create'))
    expect(await messageOf(expect(emulator).toHaveReceived('b-video-task.create', { times: 3 }))).toBe(
      sentence('b-video-task.create'),
    )
  })

  test('says which calls there were instead', async () => {
    const { emulator, createB, createImage } = await renderer()
    await createImage({ size: '512*512' })
    expect(await messageOf(expect(emulator).toHaveReceived('b-video-task.create'))).toBe(
      [
        'Expected b-video-task.create to be received, and it never was.',
        '',
        'All calls of this account:',
        '  POST /provA/api/v1/services/aigc/multimodal-generation/generation → 200 (a-image.create)',
      ].join('\n'),
    )
    await createB({ duration: 7 })
    const message = await messageOf(
      expect(emulator).toHaveReceived('b-video-task.create', { body: { duration: 5 }, times: 1 }),
    )
    expect(message).toContain('to be received once, and it never was.')
    expect(message).toContain('"duration":7')
    const other = await messageOf(expect(emulator).not.toHaveReceived('b-video-task.create'))
    expect(other).toContain('Expected b-video-task.create not to be received, and it was once.')
  })

  test('says what a scenario did to the connection of a call', async () => {
    const { emulator, createImage } = await renderer({
      scenario: {
        name: 'broken',
        description: 'The connection breaks.',
        steps: [{ when: { operation: 'a-image.create' }, then: { transport: { reset: true } } }],
      },
    })
    await expect(createImage({ size: '512*512' })).rejects.toThrow()
    expect(await messageOf(expect(emulator).toHaveReceived('b-video-task.create'))).toContain(
      'POST /provA/api/v1/services/aigc/multimodal-generation/generation → connection reset (a-image.create)',
    )
  })

  test('says why calls were refused', async () => {
    const { emulator, createB } = await renderer()
    await createB({ duration: 99 })
    expect(await messageOf(expect(emulator).toHaveReceived('b-video-task.create', { status: 200 }))).toMatch(
      /→ 400 \(b-video-task\.create\): .*duration.*99/,
    )
  })

  test('shows the latest of many', async () => {
    const { emulator, ask } = await renderer()
    for (let call = 0; call < 30; call += 1)
      await ask('GET', `/provB/api/v3/contents/generations/tasks/${call}`)
    const message = await messageOf(expect(emulator).toHaveReceived('a-image.create'))
    expect(message).toContain('  … 10 before these\n  GET /provB/api/v3/contents/generations/tasks/10 →')
  })

  test('suspects the key where there were none, the more so where others were called', async () => {
    const { emulator, createImage } = await renderer()
    await createImage({ size: '512*512' })
    const other = expect(emulator.account('other'))
    const hint =
      'This account has had no calls at all, and others have: is the code given the key of this one?'
    expect(await messageOf(other.toHaveReceived('a-image.create'))).toContain(hint)
    expect(await messageOf(other.toHaveDeliveredCallback())).toContain(hint)
    await emulator.reset()
    expect(await messageOf(expect(emulator).toHaveReceived('a-image.create'))).toContain('given its key?')
  })

  test.each<[string, string, object, string]>([
    [
      'an operation that there is not',
      'b-video-task.crate',
      {},
      'There is no operation "b-video-task.crate": did you mean b-video-task.create? Also possible: a-image.create,',
    ],
    ['a family that there is not', 'b-video.*', {}, 'There is no operation "b-video.*": '],
    [
      'an option that there is not',
      'b-video-task.create',
      { statsu: 200 },
      'toHaveReceived has no option "statsu": did you mean status? Also possible: times, body.',
    ],
    [
      'a status that there is not',
      'b-video-task.create',
      { status: 2000 },
      'status must be at most 599, found 2000.',
    ],
    [
      'a number in words',
      'b-video-task.create',
      { times: '2' },
      'times must be a whole number, 0 or more, found "2".',
    ],
    ['a status in words', 'b-video-task.create', { status: '200' }, 'status must be a number, found "200".'],
  ])('%s fails the test whatever it expects', async (_, operation, options, message) => {
    const { emulator, createB } = await renderer()
    await createB()
    for (const matching of [expect(emulator), expect(emulator).not])
      expect(await messageOf(matching.toHaveReceived(operation as OperationName, options))).toContain(message)
  })

  test('is said of an emulator', async () => {
    expect(await messageOf(expect({}).toHaveReceived('a-image.create'))).toContain('is said of an emulator')
  })
})

describe('toHaveDeliveredCallback', () => {
  test('does not tell what callbacks that were evicted could change', async () => {
    const { emulator, createB } = await renderer({ callbackLogEntries: 2 })
    await createB({ callback_url: emulator.inbox('mine').url })
    await emulator.clock.advance({ to: 'idle' })
    await expect(emulator).toHaveDeliveredCallback({ status: 'succeeded' })
    expect(await messageOf(expect(emulator).not.toHaveDeliveredCallback({ status: 'queued' }))).toBe(
      'How often a callback of queued came cannot be told: the account has evicted 1 of its callbacks (setting callbackLogEntries).\nGive the setting a larger number.',
    )
  })

  test('tells deliveries and challenges', async () => {
    const { emulator, createF } = await renderer()
    const taskId = await createF({ callback_url: emulator.inbox('hook').url })
    await emulator.clock.advance({ to: 'idle' })
    await expect(emulator).toHaveDeliveredCallback({ times: 3 })
    await expect(emulator).toHaveDeliveredCallback({ kind: 'challenge', taskId, times: 1 })
    await expect(emulator).toHaveDeliveredCallback({ status: 'succeeded', body: { task: { id: taskId } } })
    await expect(emulator).not.toHaveDeliveredCallback({ status: 'failed' })
    await expect(emulator).not.toHaveDeliveredCallback({ taskId: 'of-another-task' })
  })

  test.each<[object, string]>([
    [{ statsu: 'succeeded' }, 'toHaveDeliveredCallback has no option "statsu": did you mean status?'],
    [{ status: 'sucseeded' }, 'found "sucseeded": did you mean succeeded?'],
    [
      { kind: 'chalenge' },
      'kind must be one of challenge, delivery, found "chalenge": did you mean challenge?',
    ],
    [{ times: -1 }, 'times must be a whole number, 0 or more, found -1.'],
  ])('%j fails the test whatever it expects', async (options, message) => {
    const { emulator } = await renderer()
    for (const matching of [expect(emulator), expect(emulator).not])
      expect(await messageOf(matching.toHaveDeliveredCallback(options))).toContain(message)
  })

  test('waits for one that is on its way', async () => {
    const held: (() => void)[] = []
    const receiver = await startReceiver((_, response) => held.push(() => response.end()))
    const { emulator, createB } = await renderer()
    await createB({ callback_url: receiver.url })
    await receiver.until(1)
    await expect(emulator).not.toHaveDeliveredCallback({ status: 'queued' })
    const { waitFor } = emulator.callbacks
    vi.spyOn(emulator.callbacks, 'waitFor').mockImplementation((...asked) => {
      const waited = waitFor(...asked)
      for (const give of held) give()
      return waited
    })
    await expect(emulator).toHaveDeliveredCallback({ status: 'queued', times: 1 })
  })

  test.each<[string, DeliveredOptions]>([
    ['one whose body fits, past others that are accepted', { body: { status: 'succeeded' }, times: 1 }],
    ['as many as are wanted', { times: 3 }],
  ])('waits for %s', async (_, options) => {
    const held: (() => void)[] = []
    const receiver = await startReceiver(({ what }, response) =>
      what === 'succeeded' ? held.push(() => response.end()) : response.end(),
    )
    const { emulator, createB } = await renderer()
    await createB({ callback_url: receiver.url })
    void emulator.clock.advance({ to: 'idle' })
    await receiver.until(3)
    const { waitFor } = emulator.callbacks
    vi.spyOn(emulator.callbacks, 'waitFor').mockImplementation((...asked) => {
      const waited = waitFor(...asked)
      for (const give of held) give()
      return waited
    })
    await expect(emulator).toHaveDeliveredCallback(options)
  })

  test('does not wait for what must not come', async () => {
    const receiver = await startReceiver(() => {})
    const { emulator, createB } = await renderer()
    await createB({ callback_url: receiver.url })
    await receiver.until(1)
    const spied = vi.spyOn(emulator.callbacks, 'waitFor')
    await expect(emulator).not.toHaveDeliveredCallback({ status: 'queued' })
    expect(spied).not.toHaveBeenCalled()
  })

  test('waits no longer than a second for what does not come', async () => {
    const receiver = await startReceiver(() => {})
    const { emulator, createB } = await renderer()
    await createB({ callback_url: receiver.url })
    await receiver.until(1)
    const { waitFor } = emulator.callbacks
    const spied = vi.spyOn(emulator.callbacks, 'waitFor')
    spied.mockImplementation((filter, options) => waitFor(filter, { ...options, timeout: 0 }))
    expect(await messageOf(expect(emulator).toHaveDeliveredCallback({ body: {} }))).toContain('it never was')
    expect(spied).toHaveBeenCalledOnce()
  })

  test('says when the clock would come to more, and where it would come to nothing is silent', async () => {
    const { emulator, createB } = await renderer()
    await createB({ callback_url: emulator.inbox('hook').url })
    const { next } = await emulator.clock.read()
    const succeeded = () => expect(emulator).toHaveDeliveredCallback({ status: 'succeeded', times: 2 })
    expect(await messageOf(succeeded)).toContain(
      `The clock is paused and stands at 2026-01-01T00:00:00.000Z; the next moment is at ${next}: advance the clock.`,
    )
    await emulator.clock.advance({ to: 'idle' })
    expect(await messageOf(succeeded)).not.toContain('The clock')
  })

  test('says what became of the others', async () => {
    const { emulator, createB } = await renderer()
    expect(await messageOf(expect(emulator).toHaveDeliveredCallback())).toContain('no callbacks at all')
    const id = await createB({ callback_url: 'http://203.0.113.7/hook' })
    await emulator.callbacks.waitFor({ state: 'failed' })
    const message = await messageOf(
      expect(emulator).toHaveDeliveredCallback({ taskId: id, status: 'queued' }),
    )
    expect(message).toContain(`Expected a callback of queued for ${id} to be delivered, and it never was.`)
    expect(message).toContain(`queued of ${id} to http://203.0.113.7/hook: failed (Callbacks go to`)
  })
})

describe('toHaveSucceeded', () => {
  test('is said of a task and of what a query answers', async () => {
    const { emulator, ask, createB, createF } = await renderer({ timing: 'instant' })
    const [b, f] = [await createB(), await createF()]
    expect(await emulator.tasks.get(b)).toHaveSucceeded()
    expect((await ask('GET', `/provB/api/v3/contents/generations/tasks/${b}`)).body).toHaveSucceeded()
    expect((await ask('GET', `/provC/v2/query/video_generation/${f}`)).body).toHaveSucceeded()
  })

  test('shows the error and the timeline of a task that has not', async () => {
    const { emulator, ask, createB } = await renderer()
    const id = await createB()
    await emulator.tasks.fail(id, 'InternalServiceError')
    const task = await emulator.tasks.get(id)
    expect(task).not.toHaveSucceeded()
    expect(await messageOf(() => expect(task).toHaveSucceeded())).toBe(
      [
        `Expected the task ${id} to have succeeded, and it is failed.`,
        '',
        'Its timeline, with what is to come:',
        '  2026-01-01T00:00:00.000Z queued',
        '  2026-01-01T00:00:00.000Z failed (InternalServiceError)',
      ].join('\n'),
    )
    const { body } = await ask('GET', `/provB/api/v3/contents/generations/tasks/${id}`)
    expect(await messageOf(() => expect(body).toHaveSucceeded())).toContain('InternalServiceError')
  })

  test.each([undefined, null, 'cgt-1', {}])('%j is no task', async (value) => {
    expect(await messageOf(() => expect(value).toHaveSucceeded())).toContain('is said of a task')
  })
})

test.each([
  ['one of two fields that differs', { seed: 1, model: 'a' }, { seed: 1, model: 'b' }, false],
  ['fewer fields', { seed: 1, model: 'a' }, { seed: 1 }, true],
  ['a list that goes on', { content: [1, 2] }, { content: [1] }, false],
  ['a list that ends before', { content: [1] }, { content: [1, 2] }, false],
  ['an object for a list', { content: { 0: 1 } }, { content: [1] }, false],
  ['a list for an object', { content: [1] }, { content: { 0: 1 } }, false],
  ['null where there is null', { callback: null }, { callback: null }, true],
  ['null where there is nothing', {}, { callback: null }, false],
  ['nothing where there is no such field', {}, { callback: undefined }, false],
  ['a field that every object inherits', {}, { toString: expect.any(Function) }, false],
  ['anything but a number', { seed: '1' }, { seed: expect.any(Number) }, false],
  ['no body', undefined, {}, false],
])('a body is looked for by its parts: %s', (_, value, expected, isThere) =>
  expect(holds(value, expected)).toBe(isThere),
)

test('a task has succeeded in either of the words of the setting videoStatusWords', () => {
  expect({ status: 'completed' }).toHaveSucceeded()
  expect({ task: { status: 'succeeded' } }).toHaveSucceeded()
  expect({ status: 'in_progress' }).not.toHaveSucceeded()
})

describe('toBeExplainedBy', () => {
  test('wants a rule', async () => {
    const refusal = await messageOf(() => expect({ refusedBy: [] }).toBeExplainedBy(undefined as never))
    expect(refusal).toBe('toBeExplainedBy: rule must be a string that is not empty, found nothing.')
  })

  test('tells the rule that made the answer', async () => {
    const { emulator, createImage } = await renderer()
    const call = await emulator.requests.get((await createImage({ size: '100*100' })).requestId)
    expect(call).toBeExplainedBy('a-image.size-area')
    expect(call).not.toBeExplainedBy('a-image.size-ratio')
    expect(call).toBeExplainedBy('a-image')
    const other = await emulator.requests.get((await createImage({ n: 7 })).requestId)
    expect(other).toBeExplainedBy('a-image.schema')
    expect(other).toBeExplainedBy('a-image.schema.parameters.n')
  })

  test('tells the rule of an item by the field of its list, and not by a part of a word', () => {
    const call = { refusedBy: [{ rule: 'b-video-task.schema.content[].text', place: 'x', error: 'x' }] }
    expect(call).toBeExplainedBy('b-video-task.schema.content')
    expect(call).toBeExplainedBy('b-video-task.schema.content[]')
    expect(call).not.toBeExplainedBy('b-video-task.schema.content[].type')
    expect(call).not.toBeExplainedBy('b-video-task.schema.content[].text.' as never)
  })

  test.each([
    ['a-image.size', 'a-image.size-format'],
    ['b-video-task.schema.con', 'b-video-task.schema.content'],
    ['b-video-task.schema.contents', 'b-video-task.schema.content'],
    ['b-video-task.schema.content[0].text', 'b-video-task.schema.content[].text'],
    ['b-video', 'b-video-task.credentials'],
    ['a-image.size-area ', 'a-image.size-area'],
  ])('a rule that there is not fails the test whatever it expects: %s', async (rule, meant) => {
    const call = { refusedBy: [] }
    for (const matching of [expect(call), expect(call).not]) {
      const refusal = await messageOf(() => matching.toBeExplainedBy(rule as never))
      expect(refusal).toContain(`toBeExplainedBy: There is no rule "${rule}": did you mean ${meant}?`)
    }
    // @ts-expect-error a rule that is not there
    expect(() => expect(call).toBeExplainedBy('a-image.size')).toThrow('There is no rule')
  })

  test('says which rules refused it, or that none did', async () => {
    const { emulator, createImage } = await renderer()
    const refused = await emulator.requests.get((await createImage({ size: '100*100' })).requestId)
    const message = await messageOf(() => expect(refused).toBeExplainedBy('a-image.size-ratio'))
    expect(message).toContain('to be refused by a-image.size-ratio, and it was answered with 400.')
    expect(message).toContain('a-image.size-area (docs/families/a-image.md#size')
    expect(message).toContain('parameters.size was "100*100"; allowed is')
    expect(message).toMatch(/^ {2}a-image\.size-area \(docs[^)]*\): .*100\*100.*; parameters\.size was/m)
    const fine = await emulator.requests.get((await createImage({ size: '512*512' })).requestId)
    expect(await messageOf(() => expect(fine).toBeExplainedBy('a-image.size-area'))).toContain(
      'No rule has refused it.',
    )
  })

  test('is said of a call', async () => {
    expect(await messageOf(() => expect('req-1').toBeExplainedBy('a-image.size-area'))).toContain(
      'is said of a call',
    )
  })
})

describe('toBeAnImage and toBeAVideo', () => {
  test('read bytes in every form', async () => {
    const bytes = await fixture('first-frame.png')
    const facts = JSON.parse(await readFile('fixtures/media/index.json', 'utf8')).find(
      ({ name }: { name: string }) => name === 'first-frame.png',
    ).facts
    const wanted = { width: facts.width, height: facts.height, format: 'png' as const }
    await expect(bytes).toBeAnImage(wanted)
    await expect(new Uint8Array(bytes)).toBeAnImage(wanted)
    await expect(new Uint8Array(bytes).buffer).toBeAnImage(wanted)
    await expect(new Response(new Uint8Array(bytes))).toBeAnImage()
    await expect(bytes).not.toBeAnImage({ width: facts.width + 1 })
    await expect(bytes).not.toBeAVideo()
  })

  test('leave a response to be read again', async () => {
    const response = new Response(new Uint8Array(await fixture('first-frame.png')))
    await expect(response).toBeAnImage()
    await expect(response).not.toBeAVideo()
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
  })

  test('read the response of a library whose clones wait for each other', async () => {
    const bytes = new Uint8Array(await fixture('first-frame.png'))
    const response = {
      body: Readable.from([]),
      arrayBuffer: async () => bytes.buffer,
      clone: () => ({ arrayBuffer: () => new Promise(() => {}) }),
    }
    await expect(response).toBeAnImage()
  })

  test('an option that there is not fails the test whatever it expects', async () => {
    const bytes = await fixture('first-frame.png')
    const misspelt: object = { widht: 7 }
    for (const matching of [expect(bytes), expect(bytes).not]) {
      expect(await messageOf(matching.toBeAnImage(misspelt))).toContain(
        'toBeAnImage has no option "widht": did you mean width? Also possible: height, format.',
      )
      expect(await messageOf(matching.toBeAVideo(misspelt))).toContain('toBeAVideo has no option "widht"')
    }
  })

  test.each<[object, string]>([
    [{ width: '1280' }, 'toBeAVideo: width must be a number, found "1280".'],
    [{ seconds: Number.NaN }, 'toBeAVideo: seconds must be a number, found NaN.'],
  ])('%j fails the test whatever it expects', async (options, message) => {
    const bytes = await fixture('first-frame.png')
    for (const matching of [expect(bytes), expect(bytes).not])
      expect(await messageOf(matching.toBeAVideo(options))).toBe(message)
  })

  test('a size in words fails the test whatever it expects', async () => {
    const matching = expect(await fixture('first-frame.png')).not
    // @ts-expect-error a text where a number belongs
    expect(await messageOf(matching.toBeAnImage({ width: '640' }))).toContain('width must be a number')
  })

  test('a format that there is not fails the test whatever it expects', async () => {
    const matching = expect(await fixture('first-frame.png')).not
    // @ts-expect-error a format that is not there
    expect(await messageOf(matching.toBeAnImage({ format: 'jpg' }))).toContain(
      'There is no image format "jpg": did you mean jpeg?',
    )
  })

  test('read what a URL leads to', async () => {
    const { emulator } = await renderer()
    const url = `${emulator.url}/_backlot/fixtures/first-frame.png`
    await expect(url).toBeAnImage()
    await expect(new URL(url)).toBeAnImage()
    const moved = createServer((_, answer) => answer.writeHead(302, { location: url }).end()).listen(0)
    onTestFinished(() => void moved.close())
    await once(moved, 'listening')
    await expect(`http://127.0.0.1:${(moved.address() as AddressInfo).port}/moved`).toBeAnImage()
  })

  test('read it though a test has replaced fetch, or its environment has none', async () => {
    const { emulator } = await renderer()
    vi.stubGlobal('fetch', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    await expect(`${emulator.url}/_backlot/fixtures/first-frame.png`).toBeAnImage()
  })

  test('a result of the service is what was ordered', async () => {
    const { ask, createB } = await renderer({ timing: 'instant' })
    const id = await createB({ resolution: '480p', duration: 4 })
    const { body } = await ask('GET', `/provB/api/v3/contents/generations/tasks/${id}`)
    await expect(body.content.video_url).toBeAVideo({
      width: 864,
      height: 496,
      seconds: 4,
      framesPerSecond: 24,
    })
    await expect(body.content.video_url).toBeAVideo({ seconds: 4.05, width: undefined })
    await expect(body.content.video_url).not.toBeAVideo({ seconds: 3.85 })
    const message = await messageOf(expect(body.content.video_url).toBeAVideo({ seconds: 5 }))
    expect(message).toMatch(
      /^Expected the file to be a video, seconds 5, and it is a video: mp4, width 864, height 496, seconds 4/,
    )
  })

  test.each<[string, (url: string) => unknown, string]>([
    ['a URL that is answered with an error', (url) => `${url}/none`, 'the answer was 404: <Error>.'],
    ['a response that is an error', (url) => fetch(`${url}/none`), 'the answer was 404: <Error>.'],
    ['a redirect to a file', (url) => `${url}/to-file`, '"file:///x" is no HTTP URL.'],
    ['redirects without an end', (url) => `${url}/to-itself`, 'the answer was 302: <Error>.'],
    ['a path', () => 'picture.png', '"picture.png" is no HTTP URL.'],
    ['a port without a server', () => 'http://127.0.0.1:1/x', ': connect ECONNREFUSED 127.0.0.1:1.'],
    ['a response that was read before', wasRead, 'Body is unusable: Body has already been read.'],
  ])('%s fails the test whatever it expects', async (_, subjectOf, why) => {
    const server = createServer(({ url }, answer) => {
      if (url !== '/none') answer.setHeader('location', url === '/to-file' ? 'file:///x' : '/to-itself')
      answer.writeHead(url === '/none' ? 404 : 302).end('<Error>')
    }).listen(0)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const matching of [expect(await subjectOf(url)), expect(await subjectOf(url)).not])
      expect(await messageOf(matching.toBeAVideo())).toMatch(
        new RegExp(`^Expected a file, and there is none: .*${why}\\nWhere there must be none,`),
      )
  })

  test('say what there was instead', async () => {
    const png = await fixture('first-frame.png')
    expect(await messageOf(expect(png).toBeAVideo({ seconds: 5 }))).toMatch(
      /and it is an image: png, width \d+/,
    )
    expect(await messageOf(expect(png.subarray(0, 200)).toBeAnImage())).toContain(
      'nothing that can be read: the PNG',
    )
    expect(await messageOf(expect(await fixture('tone.wav')).toBeAnImage({ width: 7 }))).toMatch(
      /^Expected the file to be an image, width 7, and it is a sound: wav, /,
    )
    expect(await messageOf(expect(7).toBeAnImage())).toContain(
      'Expected bytes, a URL or a response, found 7.',
    )
  })
})

describe('the task of a file', () => {
  const videosOfTwo = async (settings: EmulatorSettings) => {
    const { ask } = await renderer({ timing: 'instant', ...settings })
    const make = async () => {
      const { body } = await ask('POST', paths.tasks, bodies.task({ resolution: '480p', duration: 4 }))
      const read = await ask('GET', `${paths.tasks}/${body.id}`)
      return { id: body.id as string, url: read.body.content.video_url as string }
    }
    return { one: await make(), other: await make() }
  }

  test.each(['plain', 'cards'] as const)(
    'is known of %s: a file of another task is not this one',
    async (media) => {
      const { one, other } = await videosOfTwo({ media })
      await expect(one.url).toBeAVideo({ task: one.id, seconds: 4 })
      await expect(other.url).not.toBeAVideo({ task: one.id })
      expect(await messageOf(expect(other.url).toBeAVideo({ task: one.id }))).toMatch(
        new RegExp(
          `^Expected the file to be a video, task ${one.id}, and it is a video: .*, task ${other.id}\\.`,
        ),
      )
    },
  )

  test('is the request of a picture that has no task', async () => {
    const { ask } = await renderer()
    const { body } = await ask('POST', paths.image, bodies.image())
    const url = body.output.choices[0].message.content[0].image
    await expect(url).toBeAPicture({ task: body.request_id, width: 512, format: 'png' })
    await expect(url).not.toBeAPicture({ task: 'another' })
    await expect(url).not.toBeAVideo()
  })

  test('is not known of a file that was made elsewhere', async () => {
    const png = await fixture('first-frame.png')
    await expect(png).toBeAPicture()
    expect(await messageOf(expect(png).toBeAPicture({ task: 'cgt-1' }))).toContain(
      'no mark of a task: Backlot did not make it',
    )
  })
})

/** Levels of objects, each with two references to the next, so that there are 2^levels paths. */
const graphOf = (levels: number): object => {
  let graph = {}
  for (let level = 0; level < levels; level += 1) graph = { left: graph, right: graph }
  return graph
}

test('a subject with more paths than can be walked is named at once', async () => {
  expect(await messageOf(() => expect(graphOf(40)).toHaveSucceeded())).toMatch(
    /found \{"left":\{"left":.{44}… \(more than 1000 values\)/,
  )
})

test.each([
  ['a forgotten await', Promise.resolve(), 'found a promise that was not awaited.'],
  ['a response', new Response(), 'found a Response.'],
  ['a refusal of the service', { code: 'task_not_exist' }, 'found {"code":"task_not_exist"}.'],
  ['a list', [], 'found [].'],
  ['nothing', undefined, 'found nothing.'],
])('what a matcher cannot judge is named: %s', async (_, subject, found) => {
  expect(await messageOf(() => expect(subject).toHaveSucceeded())).toContain(`a task with a status, ${found}`)
  expect(await messageOf(() => expect(subject).toBeExplainedBy('a-image'))).toContain(found)
  expect(await messageOf(() => expect(subject).toHaveReceived('b-video-task.create'))).toContain(found)
  if (!(subject instanceof Response))
    expect(await messageOf(() => expect(subject).toBeAVideo())).toContain(`a response, ${found}`)
})
