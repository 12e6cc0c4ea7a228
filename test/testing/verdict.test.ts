import { expect, test } from 'vitest'
import { assertBehaved } from '../../src/testing/matchers/behaved.js'
import '../../src/testing/matchers/vitest.js'
import { createTask } from './calls.js'
import { used } from './used.js'

test('with the option verdict, a test fails whose client did not behave', async () => {
  const { emulator, file, run } = used({ verdict: true })
  await file(async () => {
    const ends = run('abandons', async () => void (await createTask(emulator.url, emulator.key)))
    await expect(ends).rejects.toThrow(
      /The client did not behave:\n {2}abandoned-task: cgt-\S+ of .*\n.*\n {4}docs\/verdict\.md#abandoned-task; calls \S+[\s\S]*To allow it: emulator\.allow\('abandoned-task'\)/,
    )
    await run('is allowed to', async () => {
      emulator.allow('abandoned-task')
      await createTask(emulator.url, emulator.key)
    })
  })
})

test('without the option a finding does not fail a test, and a matcher tells it', async () => {
  const { emulator, file, run } = used()
  await file(async () => {
    await run('abandons', async () => {
      await expect(emulator).toHaveBehaved()
      await assertBehaved(emulator)
      await createTask(emulator.url, emulator.key)
      await expect(emulator).not.toHaveBehaved()
      await expect(emulator).toHaveBehaved({ allow: ['abandoned-task'] })
      await assertBehaved(emulator, { allow: ['abandoned-task'] })
      await expect(assertBehaved(emulator)).rejects.toMatchObject({
        code: 'misbehaved',
        message: expect.stringContaining('abandoned-task: '),
      })
      await expect(assertBehaved(emulator, { allow: ['abandond-task' as never] })).rejects.toThrow(
        'did you mean abandoned-task?',
      )
    })
  })
})
