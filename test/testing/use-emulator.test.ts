import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { accountIdOf } from '../../src/core/account/account-id.js'
import { type ClockReading, type EmulatorSettings, startEmulator } from '../../src/index.js'
import type { LooseEnd, UseEmulatorOptions } from '../../src/testing/options.js'
import { createUseEmulator } from '../../src/testing/use-emulator.js'
import { newFolder } from '../folder.js'
import { callAstray, createTask } from './calls.js'
import { fakeFramework, type Given } from './fake-framework.js'

const renderer = (options: UseEmulatorOptions = {}, given: Given = {}) => {
  const framework = fakeFramework(given)
  return { ...framework, emulator: createUseEmulator(framework.framework)(options) }
}

const shared = async (settings = {}) => {
  const emulator = await startEmulator(settings)
  onTestFinished(() => emulator.stop())
  return emulator
}

describe('a fresh account for each test', () => {
  test('has its own key, and the handles follow', async () => {
    const { emulator, file, run } = renderer()
    const keys: string[] = []
    await file(async () => {
      await run('polls until it is done', async () => {
        keys.push(emulator.key)
        await createTask(emulator.url, emulator.key)
        expect(await emulator.tasks.list()).toHaveLength(1)
      })
      await run('another one', async () => {
        keys.push(emulator.key)
        expect(await emulator.tasks.list()).toEqual([])
      })
    })
    expect(keys).toEqual([
      expect.stringMatching(/^test-polls-until-it-is-done-[0-9a-f]{8}$/),
      expect.stringMatching(/^test-another-one-[0-9a-f]{8}$/),
    ])
  })

  test('a key follows from the file and the name, so that ids repeat', async () => {
    const idsOf = async () => {
      const { emulator, file, run } = renderer()
      const ids: string[] = []
      await file(() => run('a test', async () => void ids.push(await createTask(emulator.url, emulator.key))))
      return ids
    }
    expect(await idsOf()).toEqual(await idsOf())
  })

  test('a test that is run again begins anew under the same key', async () => {
    const { emulator, file, run } = renderer()
    const keys: string[] = []
    await file(async () => {
      for (let again = 0; again < 2; again += 1)
        await run('a test', async () => {
          keys.push(emulator.key)
          await createTask(emulator.url, emulator.key)
          expect(await emulator.tasks.list()).toHaveLength(1)
        })
    })
    expect(new Set(keys).size).toBe(1)
  })

  test('other accounts of the file begin anew too, where the emulator is its own', async () => {
    const { emulator, file, run } = renderer()
    await file(async () => {
      await run('one', async () => void (await createTask(emulator.url, 'alice')))
      await run('other', async () => expect(await emulator.account('alice').tasks.list()).toEqual([]))
    })
  })

  test('a part of a test has the account of the whole', async () => {
    const { emulator, file, run } = renderer()
    await file(() =>
      run('whole', async () => {
        const { key } = emulator
        await createTask(emulator.url, key)
        await run('whole > part', async () => expect(emulator.key).toBe(key))
        expect(await emulator.tasks.list()).toHaveLength(1)
      }),
    )
  })
})

describe('a further account of a test', () => {
  test('has a key of its own, each time', async () => {
    const { emulator, file, run } = renderer()
    await file(() =>
      run('one', async () => {
        const further = [await emulator.freshAccount(), await emulator.freshAccount()]
        expect(new Set([emulator.key, ...further.map(({ key }) => key)]).size).toBe(3)
      }),
    )
  })

  test('is looked through at the end of the test that runs', async () => {
    const { emulator, file, run } = renderer()
    await file(async () => {
      const astray = run('one', async () => callAstray(emulator.url, (await emulator.freshAccount()).key))
      await expect(astray).rejects.toThrow('The test leaves loose ends')
      await run('other', async () => {})
    })
  })

  test('may leave what it is allowed to, or its test', async () => {
    const { emulator, file, run } = renderer()
    const strays = async (allow: readonly LooseEnd[] = []) => {
      // The last account of a test is looked through in another way.
      await emulator.freshAccount()
      await callAstray(emulator.url, (await emulator.freshAccount({ allow })).key)
      await emulator.freshAccount()
    }
    await file(async () => {
      await run('allowed', () => strays(['unexpected-calls']))
      await expect(run('forbidden', () => strays())).rejects.toThrow('unexpected-calls')
      await run('allowed by the test', async () => {
        emulator.allow('unexpected-calls')
        await strays()
      })
    })
  })
})

test('reports of coverage are told which test an account was for', async () => {
  const { url } = await shared()
  const folder = newFolder()
  vi.stubEnv('BACKLOT_COVERAGE', folder)
  const { emulator, file, run } = renderer({}, { shared: { url } })
  const keys: string[] = []
  await file(() => run('an order', async () => void keys.push(emulator.key)))
  const line = JSON.parse(readFileSync(join(folder, `tests-${process.pid}.jsonl`), 'utf8'))
  expect(line).toMatchObject({ account: accountIdOf(keys[0] ?? ''), file: 'file.test.ts', test: 'an order' })
})

describe('one account that is reset', () => {
  test.each<[string, UseEmulatorOptions, string]>([
    ['a key', { key: 'the-key' }, 'the-key'],
    ['the option', { isolation: 'reset' }, 'test-key'],
  ])('with %s', async (_, options, key) => {
    const { emulator, file, run } = renderer(options)
    await file(async () => {
      await run('one', async () => {
        expect(emulator.key).toBe(key)
        await createTask(emulator.url, key)
      })
      await run('other', async () => expect(await emulator.tasks.list()).toEqual([]))
    })
  })

  test('has a key for each worker where the emulator is shared', async () => {
    const { url } = await shared()
    const { emulator, file, run } = renderer({ isolation: 'reset' }, { shared: { url } })
    await file(() => run('one', async () => expect(emulator.key).toBe('test-key-backlot-7')))
  })

  test.each<[string, UseEmulatorOptions]>([
    ['the option key', { key: 'the-key', env: { USE_EMULATOR_ONE: '{key}' } }],
    ["the option isolation: 'reset'", { isolation: 'reset' }],
  ])('cannot be had by tests that run at the same time: %s', async (cause, options) => {
    const { file, run } = renderer(options)
    const doing = file(() => run('one', async () => {}, { isConcurrent: true }))
    await expect(doing).rejects.toMatchObject({
      code: 'concurrent-tests',
      sentence: `Tests that run at the same time cannot share one key: that of ${cause}.`,
    })
  })
})

describe('tests that run at the same time', () => {
  test('have accounts of their own, each looked through at the end of its test', async () => {
    const { emulator, file, run } = renderer()
    const ends = file(async () => {
      const results = await Promise.allSettled(
        ['one', 'two', 'three'].map((name) =>
          run(
            name,
            async (context) => {
              const account = await emulator.freshAccount({ test: context })
              await createTask(emulator.url, account.key)
              expect(await account.tasks.list()).toHaveLength(1)
              if (name === 'two') await callAstray(emulator.url, account.key)
            },
            { isConcurrent: true },
          ),
        ),
      )
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    })
    await expect(ends).resolves.toBeUndefined()
  })

  test('are told how to allow the loose ends of their accounts, which works', async () => {
    const { emulator, file, run } = renderer()
    const strays = (name: string, allow: readonly LooseEnd[]) =>
      run(
        name,
        async (test) => callAstray(emulator.url, (await emulator.freshAccount({ test, allow })).key),
        { isConcurrent: true },
      )
    await file(async () => {
      await expect(strays('one', [])).rejects.toThrow(
        "To allow it: emulator.freshAccount({ test, allow: ['unexpected-calls'] }), or the option allow.",
      )
      await strays('other', ['unexpected-calls'])
    })
  })

  test('cannot use the handles of a running test', async () => {
    const { emulator, file, run } = renderer()
    await file(async () => {
      await Promise.all(
        ['one', 'two'].map((name) =>
          run(name, async () => {
            await Promise.resolve()
            expect(() => emulator.tasks).toThrow(expect.objectContaining({ code: 'concurrent-tests' }))
          }),
        ),
      )
    })
  })

  test('the loose ends of an account without a test are looked for at the end of the file', async () => {
    const ends = (allow: readonly LooseEnd[]) => {
      const { emulator, file, run } = renderer({}, { knowsWhoCalls: false })
      return file(() =>
        run('one', async () => callAstray(emulator.url, (await emulator.freshAccount({ allow })).key)),
      )
    }
    const { message } = await ends([]).catch((error) => error)
    expect(message).toMatch(/^The file leaves loose ends/)
    expect(message).toContain("To allow it: emulator.freshAccount({ allow: ['unexpected-calls'] }), or the")
    await expect(ends(['unexpected-calls'])).resolves.toBeUndefined()
  })

  test('may have an account that behaves in a special way', async () => {
    const { emulator, file, run } = renderer()
    await file(() =>
      run('no money', async () => {
        const account = await emulator.freshAccount({ like: 'no-balance' })
        expect((await account.read()).balance).toBe(0)
      }),
    )
  })
})

describe('at the end of a test', () => {
  test('calls that the service does not have fail it, with what happened', async () => {
    const { emulator, file, run } = renderer()
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
    const { emulator, file, run } = renderer()
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
      const { emulator, file, run } = renderer()
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
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    const { emulator, file, run } = renderer({ journalEntries: 1, callbackLogEntries: 1 })
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
    expect(said.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /^2 calls and 0 callbacks of the test were evicted, so that loose ends .* not known/,
      ),
      expect.stringMatching(/^0 calls and 2 callbacks of the test were evicted/),
    ])
  })

  test('required steps of a scenario that have not acted fail the test', async () => {
    const { emulator, file, run } = renderer()
    await file(async () => {
      const ends = run('unused', async () => {
        await emulator.fail('a-image.create', { error: 'InternalError', required: true })
      })
      await expect(ends).rejects.toThrow('step 1 of fail-a-image-create-internal-error: no call fitted it.')
    })
  })

  test('calls without a key fail the test where no other test can have made them', async () => {
    const { emulator, file, run } = renderer()
    await file(async () => {
      await expect(run('astray', () => callAstray(emulator.url))).rejects.toThrow(
        'What happened on the account of calls without a key',
      )
    })
  })

  test('what came after the last test is allowed by the option alone', async () => {
    const { emulator, file } = renderer()
    await expect(file(() => callAstray(emulator.url, 'alice'))).rejects.toThrow(
      /To allow it: the option allow\.$/,
    )
  })

  test('a test that has failed already is not failed once more, but told what happened', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    const { emulator, file, run } = renderer()
    await file(() => run('failed', () => callAstray(emulator.url, emulator.key), { hasFailed: true }))
    expect(said).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('/v1/videoz'))
  })

  test('after a failed test the timeline of its account is printed, with the sentence of each refusal', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    const { emulator, file, run } = renderer()
    const refusedCall = () =>
      fetch(`${emulator.url}/provB/api/v3/contents/generations/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${emulator.key}`, 'content-type': 'application/json' },
        body: '{}',
      })
    await file(() => run('failed', async () => void (await refusedCall()), { hasFailed: true }))
    const [text] = said.mock.calls[0] ?? []
    expect(text).toMatch(/^What happened on the account test-failed-\w+/)
    expect(text).toMatch(/POST \/provB\S+ → 400 \(b-video-task\.create; refused by \S+: .*model is required/)
    expect(text).not.toContain('To allow it')
  })

  test('after a failed test whose code has another key, that is suspected', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    const { emulator, file, run } = renderer()
    await file(async () => {
      await run('no call', async () => {}, { hasFailed: true })
      await run('failed', async () => void (await createTask(emulator.url, 'sk-fixed')), { hasFailed: true })
    })
    const [[none], [text]] = said.mock.calls as [[string], [string]]
    const hint =
      'This account has had no calls at all, and others have: is the code given the key of this one?'
    expect(text).toMatch(/^Nothing has happened on the account test-failed-/)
    expect(text).toContain(hint)
    expect(none).not.toContain(hint)
  })

  test('after a failed test calls without a key are printed, where no other test can have made them', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    const { emulator, file, run } = renderer()
    const keyless = () => fetch(`${emulator.url}/provB/api/v3/contents/generations/tasks`)
    await file(() => run('failed', async () => void (await keyless()), { hasFailed: true }))
    expect(said.mock.calls[0]?.[0]).toContain('What happened on the account of calls without a key')
  })

  test.each<[string, UseEmulatorOptions, boolean]>([
    ['the options', { allow: ['unexpected-calls'] }, false],
    ['the test', {}, true],
  ])('what %s allow does not fail it', async (_, options, inTest) => {
    const { emulator, file, run } = renderer(options)
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

describe('words that there are not', () => {
  // As in JavaScript, where no type refuses them.
  const word = JSON.parse('"undelivered-callback"')
  const refusal =
    'There is no loose end "undelivered-callback": did you mean undelivered-callbacks? Also possible: unexpected-calls, unused-steps, abandoned-tasks.'

  test('a list of loose ends in the place of them is refused', async () => {
    const { emulator, file, run } = renderer()
    await file(() =>
      run('allows', async () => {
        expect(() => emulator.allow(['unused-steps'] as never)).toThrow(
          'Each loose end must be a string, found ["unused-steps"].',
        )
      }),
    )
  })

  test('are refused as loose ends in a test', async () => {
    const { emulator, file, run } = renderer()
    await file(() =>
      run('a test', async () => {
        expect(() => emulator.allow(word)).toThrow(refusal)
        await expect(emulator.freshAccount({ allow: [word] })).rejects.toThrow(refusal)
      }),
    )
  })

  test('are refused as options of a fresh account', async () => {
    const { emulator, file, run } = renderer()
    const misspelt: object = { alow: ['unused-steps'] }
    await file(() =>
      run('a test', () =>
        expect(emulator.freshAccount(misspelt)).rejects.toThrow(
          'freshAccount has no option "alow": did you mean allow? Also possible: test, like.',
        ),
      ),
    )
  })

  test.each([
    ['no-balanc', '"no-balanc": did you mean no-balance? Also possible: invalid, no-agreement, rate-limited'],
    [
      'rate-limit',
      '"rate-limit": did you mean rate-limited? Also possible: invalid, no-balance, no-agreement',
    ],
  ])('are refused as the reserved key %s that an account is to be like', async (like, refusal) => {
    const { emulator, file, run } = renderer()
    await file(() =>
      run('a test', async () => {
        await expect(emulator.freshAccount({ like })).rejects.toThrow(`There is no reserved key ${refusal}`)
        for (const other of ['no-agreement-yet', 'poor', 'valid'])
          expect((await emulator.freshAccount({ like: other })).key).toMatch(RegExp(`^${other}-a-test-`))
      }),
    )
  })

  test('are refused where they are no context of a test', async () => {
    const { emulator, file, run } = renderer()
    const wrong: object = { test: 5 }
    await file(() =>
      run('a test', () =>
        expect(emulator.freshAccount(wrong)).rejects.toThrow(
          'freshAccount: test must be what the test is called with, found 5.',
        ),
      ),
    )
  })

  test('are refused in the options', () => {
    expect(() => renderer({ allow: [word] })).toThrow(refusal)
    expect(() => renderer({ isolation: JSON.parse('"rest"') })).toThrow(
      'There is no isolation "rest": did you mean reset? Also possible: fresh.',
    )
  })
})

describe('an emulator of the file', () => {
  test('is started with the settings and stopped after the tests', async () => {
    const { emulator, file, run } = renderer({ timing: 'instant', allow: [] })
    await file(async () => {
      await run('one', async () => {
        const id = await createTask(emulator.url, emulator.key)
        expect((await emulator.tasks.get(id)).status).toBe('succeeded')
      })
    })
    await expect(fetch(emulator.url)).rejects.toThrow()
  })

  test('is started once, earlier where a test file waits for it', async () => {
    const { emulator, file } = renderer()
    await emulator.ready
    const { url } = emulator
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await file(async () => expect(emulator.url).toBe(url))
  })

  test('says so when it is used too early', () => {
    const { emulator } = renderer()
    expect(() => emulator.url).toThrow(expect.objectContaining({ code: 'not-started' }))
    expect(() => emulator.account('alice')).toThrow(expect.objectContaining({ code: 'not-started' }))
    expect(() => emulator.tasks).toThrow(
      expect.objectContaining({
        code: 'no-test',
        hint: expect.stringMatching(
          /A matcher that is not awaited.*An afterEach of Jest or node:test.* useEmulator itself is called at the top of a file/,
        ),
      }),
    )
  })

  test.each<[object, string]>([
    [{ isolaton: 'reset' }, 'isolaton is no option and no setting, did you mean isolation?'],
    [{ enviroment: {} }, 'enviroment is no option and no setting.'],
    [{ timming: 'instant' }, 'timming is no option and no setting, did you mean timing?'],
  ])('an option that there is not is refused, wherever the emulator is: %j', (options, sentence) => {
    for (const given of [{}, { shared: { url: 'http://127.0.0.1:1' } }])
      expect(() => renderer(options, given)).toThrow(
        expect.objectContaining({ code: 'bad-option', sentence: `useEmulator: ${sentence}` }),
      )
  })

  test('a former name of a setting is none of them, nor is an option without a value', async () => {
    const given: object = { accountsMost: 7, timming: undefined }
    const { file } = renderer(given)
    await expect(file(async () => {})).resolves.toBeUndefined()
  })
})

describe('an emulator of the whole run', () => {
  test('is used instead of one of the file, and not stopped', async () => {
    const { url, tasks } = await shared()
    const studied = renderer({}, { shared: { url } })
    expect(studied.emulator.url).toBe(url)
    await studied.file(() =>
      studied.run('one', async () => void (await createTask(url, studied.emulator.key))),
    )
    expect(await tasks.list()).toEqual([])
  })

  test('accounts begin anew, whatever a run that was interrupted has left on them', async () => {
    const { url } = await shared()
    const keys: string[] = []
    const begin = async () => {
      const { emulator, file, run } = renderer({}, { shared: { url } })
      await file(() =>
        run('one', async (test) => {
          for (const account of [emulator, await emulator.freshAccount({ test })]) {
            expect(await account.requests.list()).toEqual([])
            keys.push(account.key)
          }
        }),
      )
    }
    await begin()
    for (const key of keys) await createTask(url, key)
    await begin()
    expect(keys.slice(2)).toEqual(keys.slice(0, 2))
  })

  test('accounts of others are left alone', async () => {
    const emulator = await shared()
    const others = emulator.account('others')
    await createTask(emulator.url, others.key)
    const studied = renderer({}, { shared: { url: emulator.url } })
    await studied.file(() => studied.run('one', async () => {}))
    expect(await others.tasks.list()).toHaveLength(1)
  })

  test.each([
    // A live one runs until it is set.
    ['live', 'on-poll', expect.stringMatching(/^2026-01-01T/)],
    ['paused', 'paused', '2026-01-01T00:00:00.000Z'],
  ] as const)('with %s clocks gives tests %s ones', async (clock, mode, now) => {
    const { url } = await shared({ clock })
    const { emulator, file, run } = renderer({}, { shared: { url } })
    await file(() => run('one', async () => expect(await emulator.clock.read()).toMatchObject({ mode, now })))
  })

  test.each(['paused', 'on-poll'] as const)(
    'with live clocks, the %s ones that a file asks for begin as in an emulator of its own',
    async (clock) => {
      const begin = async (settings: EmulatorSettings) => {
        const { url } = await shared({ ...settings, clock: 'live' })
        const { emulator, file, run } = renderer({ clock }, { shared: { url } })
        const readings: ClockReading[] = []
        await file(() => run('one', async () => void readings.push(await emulator.clock.read())))
        return readings[0]?.now
      }
      expect(await begin({})).toMatch(/^2026-01-01T00:00:00/)
      expect(await begin({ startAt: '2027-05-06T07:08:09Z' })).toMatch(/^2027-05-06T07:08:09/)
    },
  )

  test('is not asked how its clocks go where that was said', async () => {
    const { url } = await shared({ clock: 'paused' })
    const { emulator, file, run } = renderer({}, { shared: { url, clock: 'live' } })
    await file(() => run('one', async () => expect((await emulator.clock.read()).mode).toBe('on-poll')))
  })

  test('an emulator with live clocks keeps them for an account that asks for one', async () => {
    const { url } = await shared({ clock: 'live' })
    const { emulator, file, run } = renderer({ clock: 'live' }, { shared: { url } })
    await file(() => run('one', async () => expect((await emulator.clock.read()).mode).toBe('live')))
  })

  test('gives each account what an account can have for itself', async () => {
    const { url } = await shared()
    const options = { clock: 'paused', balance: 3, tasksInFlight: 1 } as const
    const { emulator, file, run } = renderer(options, { shared: { url } })
    await file(() =>
      run('one', async () => {
        expect((await emulator.clock.read()).mode).toBe('paused')
        expect(await emulator.read()).toMatchObject({ balance: 3, limits: { tasksInFlight: 1 } })
      }),
    )
  })

  test('an account has them after a reset in the middle of its test too', async () => {
    const { url } = await shared({ clock: 'live' })
    const options = { balance: 3, scenario: 'busy-hour' } as const
    const { emulator, file, run } = renderer(options, { shared: { url } })
    await file(() =>
      run('one', async () => {
        await emulator.reset()
        expect((await emulator.clock.read()).mode).toBe('on-poll')
        expect(await emulator.read()).toMatchObject({ balance: 3 })
        expect(await emulator.scenario.steps()).not.toEqual([])
      }),
    )
  })

  test('leaves an account that behaves like a reserved key as this opens it', async () => {
    const { url } = await shared()
    const options = { balance: 3, imageQuota: 5, requestsPerMinute: 9, tasksInFlight: 2 }
    const { emulator, file, run } = renderer(options, { shared: { url } })
    await file(() =>
      run('one', async (test) => {
        const poor = await emulator.freshAccount({ test, like: 'no-balance' })
        const limits = { requestsPerMinute: 9, tasksInFlight: 2, imageQuota: 0 }
        expect(await poor.read()).toMatchObject({ balance: 0, limits })
        const limited = await emulator.freshAccount({ test, like: 'rate-limited' })
        expect(await limited.read()).toMatchObject({ balance: 3, limits: { requestsPerMinute: 0 } })
      }),
    )
  })

  test('settings that a shared emulator cannot apply are refused', async () => {
    const { url } = await shared()
    expect(() => renderer({ timing: 'instant', seed: 3 }, { shared: { url } })).toThrow(
      expect.objectContaining({ code: 'shared-server', message: expect.stringContaining('timing, seed') }),
    )
  })

  test('is left aside where the file wants one of its own, or another', async () => {
    const [{ url }, other] = [await shared(), await shared()]
    const own = renderer({ shared: false }, { shared: { url } })
    await own.file(async () => expect(own.emulator.url).not.toBe(url))
    expect(renderer({ url: other.url }, { shared: { url } }).emulator.url).toBe(other.url)
  })
})

describe('environment variables', () => {
  test('are set before the tests and put back after them', async () => {
    process.env.USE_EMULATOR_OLD = 'old'
    const { emulator, file, run } = renderer({
      env: { USE_EMULATOR_OLD: '{url}/provB/api/v3', USE_EMULATOR_NEW: '{port}', USE_EMULATOR_KEY: '{key}' },
    })
    const seen: unknown[] = []
    await file(async () => {
      expect([process.env.USE_EMULATOR_OLD, process.env.USE_EMULATOR_NEW]).toEqual([
        `${emulator.url}/provB/api/v3`,
        new URL(emulator.url).port,
      ])
      for (const name of ['one', 'two'])
        await run(name, async () => void seen.push(process.env.USE_EMULATOR_KEY === emulator.key))
    })
    expect(seen).toEqual([true, true])
    expect(process.env.USE_EMULATOR_OLD).toBe('old')
    expect('USE_EMULATOR_NEW' in process.env || 'USE_EMULATOR_KEY' in process.env).toBe(false)
    delete process.env.USE_EMULATOR_OLD
  })

  test('are set at once where the emulator runs already', async () => {
    const { url } = await shared()
    const { file } = renderer(
      { env: { USE_EMULATOR_SHARED: '{url}', USE_EMULATOR_SHARED_KEY: '{key}' }, key: 'the-key' },
      { shared: { url } },
    )
    expect([process.env.USE_EMULATOR_SHARED, process.env.USE_EMULATOR_SHARED_KEY]).toEqual([url, 'the-key'])
    await file(async () => {})
    expect(process.env.USE_EMULATOR_SHARED).toBeUndefined()
  })

  test.each(['{urll}', '{URL}/v1', '{key_of_mine}'])(
    'a placeholder that there is not is refused: %s',
    (template) => {
      expect(() => renderer({ env: { USE_EMULATOR_ONE: template } })).toThrow(
        /^env: USE_EMULATOR_ONE has \{\w+\}, and there is no placeholder "/,
      )
      expect(() => renderer({ env: { USE_EMULATOR_ONE: '{"k":"{key}"}' } })).not.toThrow()
    },
  )

  test('a key in them cannot be that of several tests at the same time', async () => {
    const { file, run } = renderer({ env: { USE_EMULATOR_URL: '{url}', USE_EMULATOR_ONE: '{key}' } })
    const doing = file(() => run('one', async () => {}, { isConcurrent: true }))
    await expect(doing).rejects.toMatchObject({
      code: 'concurrent-tests',
      sentence:
        'Tests that run at the same time cannot share one key: that in the variable USE_EMULATOR_ONE (option env).',
    })
  })
})

test.each<[string, UseEmulatorOptions]>([
  ['a key and fresh accounts', { key: 'the-key', isolation: 'fresh' }],
  ['a list of all keys and none of them', { account: ['alice'] }],
])('%s contradict each other', (_, options) => {
  expect(() => renderer(options)).toThrow(expect.objectContaining({ code: 'bad-option' }))
})

test.each<[string, unknown, string]>([
  ['null', null, 'options must be an object, found null'],
  [
    'variables that are no object',
    { env: 'URL={url}' },
    'env must be an object whose values are strings, found "URL={url}"',
  ],
  [
    'a variable that is a number',
    { env: { PORT: 5 } },
    'env must be an object whose values are strings, found {"PORT":5}',
  ],
  [
    'a number in place of a folder',
    { coverage: 5 },
    'coverage must be true or false, or a string that is not empty, found 5',
  ],
  ['a word in place of a switch', { shared: 'no' }, 'shared must be true or false, found "no"'],
  ['a word in place of a list', { allow: 'unused-steps' }, 'allow must be a list, found "unused-steps"'],
  [
    'a number as the key',
    { key: 5 },
    'key must be a string that a header can carry, without white space around it, found 5',
  ],
])('%s as options are refused by name', (_, options, why) => {
  expect(() => renderer(options as UseEmulatorOptions)).toThrow(
    expect.objectContaining({ code: 'bad-argument', sentence: `useEmulator: ${why}.` }),
  )
})

test('printing an emulator uses no handle', () => {
  const { emulator } = renderer()
  expect(Object.keys(emulator)).toContain('freshAccount')
  expect(Object.keys(emulator)).not.toContain('tasks')
  expect('tasks' in emulator).toBe(true)
})

describe('abandoned tasks', () => {
  const leavesTask = (options: UseEmulatorOptions, before: 'allowed' | 'ended' | 'left' = 'left') => {
    const { emulator, file, run } = renderer(options)
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
    expect(() => renderer({ forbid: ['abandoned' as 'abandoned-tasks'] })).toThrow(
      'There is no loose end to forbid "abandoned"',
    ))
})
