import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { UseEmulatorOptions } from '../../src/testing/options.js'
import { callAstray, createTask } from './calls.js'

import { used } from './used.js'

describe('at the end of a test', () => {
  test('calls that the service does not have fail it, with what happened', async () => {
    const { emulator, file, run } = used()
    await file(async () => {
      const ends = run('astray', async () => {
        const id = await createTask(emulator.url, emulator.key)
        await emulator.tasks.force(id, 'running')
        await callAstray(emulator.url, emulator.key)
      })
      const { message, code } = await ends.catch((error) => error)
      expect(code).toBe('loose-ends')
      expect(message.replaceAll(/cgt-\d+-\w+/g, 'ID')).toBe(
        [
          'The test leaves loose ends.',
          '',
          'Calls that the service does not have:',
          '  No operation has the route GET /v1/videoz. Did you mean POST /v1/videos?',
          '',
          `What happened on the account ${message.match(/test-astray-\w+/)?.[0]}, from 2026-01-01T00:00:00.000Z on its clock:`,
          '  +0ms  POST /provB/api/v3/contents/generations/tasks → 200 (b-video-task.create ID)',
          '  +0ms    task ID queued',
          '  +0ms    task ID running',
          '  +0ms  GET /v1/videoz → 404 (no such operation)',
          '',
          "To allow it: emulator.allow('unexpected-calls') in the test, or the option allow.",
        ].join('\n'),
      )
      await run('the next one has nothing to do with it', async () => {})
    })
  })

  test('callbacks that no receiver accepted fail the test', async () => {
    const { emulator, file, run } = used()
    await file(async () => {
      const ends = run('undelivered', async () => {
        await createTask(emulator.url, emulator.key, { callback_url: 'http://203.0.113.7/hook' })
      })
      await expect(ends).rejects.toThrow(
        /queued of cgt-\S+ to http:\/\/203\.0\.113\.7\/hook: failed\. Callbacks go to/,
      )
    })
  })

  test.each([
    ['callback-lost', 'skipped'],
    ['callback-late', 'waiting'],
  ] as const)(
    'callbacks on which %s acted, so that they are %s, do not fail the test',
    async (scenario, state) => {
      const { emulator, file, run } = used()
      await file(async () => {
        await run('loses one', async () => {
          await emulator.scenario.play(scenario)
          await createTask(emulator.url, emulator.key, { callback_url: emulator.inbox('hook').url })
          await emulator.clock.advance('1m')
          const [last] = await emulator.callbacks.list()
          expect(last).toMatchObject({ status: 'succeeded', state, scenario: { acted: { scenario } } })
        })
      })
    },
  )

  test('loose ends that may have been evicted are told', async () => {
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const { emulator, file, run } = used({ journalEntries: 1, callbackLogEntries: 1 })
    await file(async () => {
      await run('evicts calls', async () => {
        for (const key of [emulator.key, 'another-key']) {
          await callAstray(emulator.url, key)
          await createTask(emulator.url, key)
        }
      })
      await run('evicts callbacks', async () => {
        await createTask(emulator.url, emulator.key, { callback_url: emulator.inbox('hook').url })
        await emulator.clock.advance('1h')
      })
      await run('evicts nothing', async () => {
        await createTask(emulator.url, emulator.key)
      })
    })
    expect(printed.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /^2 calls and 0 callbacks of the test were evicted, so that loose ends .* not known/,
      ),
      expect.stringMatching(/^0 calls and 2 callbacks of the test were evicted/),
    ])
  })

  test('required steps of a scenario that have not acted fail the test', async () => {
    const { emulator, file, run } = used()
    await file(async () => {
      const ends = run('unused', async () => {
        await emulator.fail('a-image.create', { error: 'InternalError', required: true })
      })
      await expect(ends).rejects.toThrow('step 1 of fail-a-image-create-internal-error: no call fitted it.')
    })
  })

  test('calls without a key fail the test where no other test can have made them', async () => {
    const { emulator, file, run } = used()
    await file(async () => {
      await expect(run('astray', () => callAstray(emulator.url))).rejects.toThrow(
        'What happened on the account of calls without a key',
      )
    })
  })

  test('what came after the last test is allowed by the option alone', async () => {
    const { emulator, file } = used()
    await expect(file(() => callAstray(emulator.url, 'alice'))).rejects.toThrow(
      /To allow it: the option allow\.$/,
    )
  })

  test('a test that has failed already is not failed once more, but told what happened', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const { emulator, file, run } = used()
    await file(() => run('failed', () => callAstray(emulator.url, emulator.key), { hasFailed: true }))
    expect(printed).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('/v1/videoz'))
  })

  test('after a failed test the timeline of its account is printed, with the sentence of each refusal', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const { emulator, file, run } = used()
    const refusedCall = () =>
      fetch(`${emulator.url}/provB/api/v3/contents/generations/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${emulator.key}`, 'content-type': 'application/json' },
        body: '{}',
      })
    await file(() => run('failed', async () => void (await refusedCall()), { hasFailed: true }))
    const [text] = printed.mock.calls[0] ?? []
    expect(text).toMatch(/^What happened on the account test-failed-\w+/)
    expect(text).toMatch(/POST \/provB\S+ → 400 \(b-video-task\.create; refused by \S+: .*model is required/)
    expect(text).not.toContain('To allow it')
  })

  test('after a failed test whose code has another key, that is suspected', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const { emulator, file, run } = used()
    await file(async () => {
      await run('no call', async () => {}, { hasFailed: true })
      await run('failed', async () => void (await createTask(emulator.url, 'sk-fixed')), { hasFailed: true })
    })
    const [[none], [text]] = printed.mock.calls as [[string], [string]]
    const hint =
      'This account has had no calls at all, and others have: is the code given the key of this one?'
    expect(text).toMatch(/^Nothing has happened on the account test-failed-/)
    expect(text).toContain(hint)
    expect(none).not.toContain(hint)
  })

  test('after a failed test calls without a key are printed, where no other test can have made them', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const { emulator, file, run } = used()
    const keyless = () => fetch(`${emulator.url}/provB/api/v3/contents/generations/tasks`)
    await file(() => run('failed', async () => void (await keyless()), { hasFailed: true }))
    expect(printed.mock.calls[0]?.[0]).toContain('What happened on the account of calls without a key')
  })

  test.each<[string, UseEmulatorOptions, boolean]>([
    ['the options', { allow: ['unexpected-calls'] }, false],
    ['the test', {}, true],
  ])('what %s allow does not fail it', async (_, options, inTest) => {
    const { emulator, file, run } = used(options)
    await file(async () => {
      const allowed = run('astray', async () => {
        if (inTest) emulator.allow('unexpected-calls', 'undelivered-callbacks')
        await callAstray(emulator.url, emulator.key)
      })
      await expect(allowed).resolves.toBeUndefined()
      const next = run('next', () => callAstray(emulator.url, emulator.key))
      if (inTest) await expect(next).rejects.toMatchObject({ code: 'loose-ends' })
      else await expect(next).resolves.toBeUndefined()
    })
  })
})

describe('abandoned tasks', () => {
  test('calls of allowed paths do not fail it, and others do', async () => {
    const chat = (url: string, key: string, path: string) =>
      fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
    const { emulator, file, run } = used({ allow: [{ unexpectedCalls: ['/v1/files/{id}'] }] })
    await file(async () => {
      await run('foreign', async () => {
        emulator.allow({ unexpectedCalls: ['POST /v1/chat/completions'] })
        await chat(emulator.url, emulator.key, '/v1/chat/completions')
        await chat(emulator.url, emulator.key, '/v1/files/file-1')
      })
      const ends = run('astray', async () => {
        emulator.allow({ unexpectedCalls: ['POST /v1/chat/completions', 'GET /v1/embeddings'] })
        await chat(emulator.url, emulator.key, '/v1/chat/completions')
        for (const path of ['/v1/embeddings', '/v1/chat/completions/x', '/v1/files/a/b'])
          await chat(emulator.url, emulator.key, path)
      })
      const { message } = await ends.catch((error) => error)
      expect(message.match(/(?<=No operation has the route )\S+ \S+(?=\.)/g)).toEqual([
        'POST /v1/embeddings',
        'POST /v1/chat/completions/x',
        'POST /v1/files/a/b',
      ])
    })
  })

  test.each([
    [{ unexpectedCalls: 'POST /v1/x' }],
    [{ unexpectedCalls: ['v1/x'] }],
    [{ unexpectedCalls: ['/v1/x'], more: 1 }],
    [{}],
  ])('what is no list of paths is refused: %j', async (allowed) => {
    const { emulator, file, run } = used()
    await file(() =>
      run('misspelt', async () => {
        expect(() => emulator.allow(allowed as { unexpectedCalls: [] })).toThrow(
          /^allow: an object must have unexpectedCalls alone, a list of paths, found/,
        )
      }),
    )
  })

  const leavesTask = (options: UseEmulatorOptions, before: 'allowed' | 'ended' | 'left' = 'left') => {
    const { emulator, file, run } = used(options)
    return file(() =>
      run('leaves a task', async () => {
        await createTask(emulator.url, emulator.key)
        if (before === 'allowed') emulator.allow('abandoned-tasks')
        if (before === 'ended') await emulator.clock.advance('1h')
      }),
    )
  }

  test('fail a test where they are forbidden, by id and status', () =>
    expect(leavesTask({ forbid: ['abandoned-tasks'] })).rejects.toThrow(
      /Tasks that have not ended:\n {2}cgt-[\w-]+ of b-video-task is queued\./,
    ))

  test('are no failure by default', () => expect(leavesTask({})).resolves.toBeUndefined())

  test('can be allowed in a test', () =>
    expect(leavesTask({ forbid: ['abandoned-tasks'] }, 'allowed')).resolves.toBeUndefined())

  test('are none once they have ended', () =>
    expect(leavesTask({ forbid: ['abandoned-tasks'] }, 'ended')).resolves.toBeUndefined())

  test('are the only loose end that can be forbidden', () =>
    expect(() => used({ forbid: ['abandoned' as 'abandoned-tasks'] })).toThrow(
      'There is no loose end to forbid "abandoned"',
    ))
})
