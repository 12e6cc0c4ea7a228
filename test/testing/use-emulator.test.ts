import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { accountIdOf } from '../../src/emulator/core/account/account-id.js'
import type { LooseEnd, UseEmulatorOptions } from '../../src/testing/options.js'
import { newFolder } from '../folder.js'
import { callAstray, createTask } from './calls.js'

import { shared, used } from './used.js'

describe('a fresh account for each test', () => {
  test('has its own key, and the handles follow', async () => {
    const { emulator, file, run } = used()
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
      const { emulator, file, run } = used()
      const ids: string[] = []
      await file(() => run('a test', async () => void ids.push(await createTask(emulator.url, emulator.key))))
      return ids
    }
    expect(await idsOf()).toEqual(await idsOf())
  })

  test('a test that is run again begins anew under the same key', async () => {
    const { emulator, file, run } = used()
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
    const { emulator, file, run } = used()
    await file(async () => {
      await run('one', async () => void (await createTask(emulator.url, 'alice')))
      await run('other', async () => expect(await emulator.account('alice').tasks.list()).toEqual([]))
    })
  })

  test('a part of a test has the account of the whole', async () => {
    const { emulator, file, run } = used()
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
    const { emulator, file, run } = used()
    await file(() =>
      run('one', async () => {
        const further = [await emulator.freshAccount(), await emulator.freshAccount()]
        expect(new Set([emulator.key, ...further.map(({ key }) => key)]).size).toBe(3)
      }),
    )
  })

  test('is looked through at the end of the test that runs', async () => {
    const { emulator, file, run } = used()
    await file(async () => {
      const astray = run('one', async () => callAstray(emulator.url, (await emulator.freshAccount()).key))
      await expect(astray).rejects.toThrow('The test leaves loose ends')
      await run('other', async () => {})
    })
  })

  test('may leave what it is allowed to, or its test', async () => {
    const { emulator, file, run } = used()
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
  const { emulator, file, run } = used({}, { shared: { url } })
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
    const { emulator, file, run } = used(options)
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
    const { emulator, file, run } = used({ isolation: 'reset' }, { shared: { url } })
    await file(() => run('one', async () => expect(emulator.key).toBe('test-key-backlot-7')))
  })

  test.each<[string, UseEmulatorOptions]>([
    ['the option key', { key: 'the-key', env: { USE_EMULATOR_ONE: '{key}' } }],
    ["the option isolation: 'reset'", { isolation: 'reset' }],
  ])('cannot be had by tests that run at the same time: %s', async (cause, options) => {
    const { file, run } = used(options)
    const doing = file(() => run('one', async () => {}, { isConcurrent: true }))
    await expect(doing).rejects.toMatchObject({
      code: 'concurrent-tests',
      sentence: `Tests that run at the same time cannot share one key: that of ${cause}.`,
    })
  })
})

describe('tests that run at the same time', () => {
  test('have accounts of their own, each looked through at the end of its test', async () => {
    const { emulator, file, run } = used()
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
    const { emulator, file, run } = used()
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
    const { emulator, file, run } = used()
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
      const { emulator, file, run } = used({}, { knowsWhoCalls: false })
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
    const { emulator, file, run } = used()
    await file(() =>
      run('no money', async () => {
        const account = await emulator.freshAccount({ like: 'no-balance' })
        expect((await account.read()).balance).toBe(0)
      }),
    )
  })
})

describe('words that there are not', () => {
  // As in JavaScript, where no type refuses them.
  const word = JSON.parse('"undelivered-callback"')
  const refusal =
    'There is no loose end "undelivered-callback": did you mean undelivered-callbacks? Also possible: unexpected-calls, unused-steps, abandoned-tasks, ordered-twice, '

  test('a list of loose ends in the place of them is refused', async () => {
    const { emulator, file, run } = used()
    await file(() =>
      run('allows', async () => {
        expect(() => emulator.allow(['unused-steps'] as never)).toThrow(
          'Each loose end must be a string, found ["unused-steps"].',
        )
      }),
    )
  })

  test('are refused as loose ends in a test', async () => {
    const { emulator, file, run } = used()
    await file(() =>
      run('a test', async () => {
        expect(() => emulator.allow(word)).toThrow(refusal)
        await expect(emulator.freshAccount({ allow: [word] })).rejects.toThrow(refusal)
      }),
    )
  })

  test('are refused as options of a fresh account', async () => {
    const { emulator, file, run } = used()
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
    const { emulator, file, run } = used()
    await file(() =>
      run('a test', async () => {
        await expect(emulator.freshAccount({ like })).rejects.toThrow(`There is no reserved key ${refusal}`)
        for (const other of ['no-agreement-yet', 'poor', 'valid'])
          expect((await emulator.freshAccount({ like: other })).key).toMatch(RegExp(`^${other}-a-test-`))
      }),
    )
  })

  test('are refused where they are no context of a test', async () => {
    const { emulator, file, run } = used()
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
    expect(() => used({ allow: [word] })).toThrow(refusal)
    expect(() => used({ isolation: JSON.parse('"rest"') })).toThrow(
      'There is no isolation "rest": did you mean reset? Also possible: fresh.',
    )
  })
})

describe('an emulator of the file', () => {
  test('is started with the settings and stopped after the tests', async () => {
    const { emulator, file, run } = used({ timing: 'instant', allow: [] })
    await file(async () => {
      await run('one', async () => {
        const id = await createTask(emulator.url, emulator.key)
        expect((await emulator.tasks.get(id)).status).toBe('succeeded')
      })
    })
    await expect(fetch(emulator.url)).rejects.toThrow()
  })

  test('is started once, earlier where a test file waits for it', async () => {
    const { emulator, file } = used()
    await emulator.ready
    const { url } = emulator
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await file(async () => expect(emulator.url).toBe(url))
  })

  test('says so when it is used too early', () => {
    const { emulator } = used()
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
      expect(() => used(options, given)).toThrow(
        expect.objectContaining({ code: 'bad-option', sentence: `useEmulator: ${sentence}` }),
      )
  })

  test('a former name of a setting is none of them, nor is an option without a value', async () => {
    const given: object = { accountsMost: 7, timming: undefined }
    const { file } = used(given)
    await expect(file(async () => {})).resolves.toBeUndefined()
  })
})

describe('environment variables', () => {
  test('are set before the tests and put back after them', async () => {
    process.env.USE_EMULATOR_OLD = 'old'
    const { emulator, file, run } = used({
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
    const { file } = used(
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
      expect(() => used({ env: { USE_EMULATOR_ONE: template } })).toThrow(
        /^env: USE_EMULATOR_ONE has \{\w+\}, and there is no placeholder "/,
      )
      expect(() => used({ env: { USE_EMULATOR_ONE: '{"k":"{key}"}' } })).not.toThrow()
    },
  )

  test('a key in them cannot be that of several tests at the same time', async () => {
    const { file, run } = used({ env: { USE_EMULATOR_URL: '{url}', USE_EMULATOR_ONE: '{key}' } })
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
  expect(() => used(options)).toThrow(expect.objectContaining({ code: 'bad-option' }))
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
  expect(() => used(options as UseEmulatorOptions)).toThrow(
    expect.objectContaining({ code: 'bad-argument', sentence: `useEmulator: ${why}.` }),
  )
})

test('printing an emulator uses no handle', () => {
  const { emulator } = used()
  expect(Object.keys(emulator)).toContain('freshAccount')
  expect(Object.keys(emulator)).not.toContain('tasks')
  expect('tasks' in emulator).toBe(true)
})
