import { EmulatorError } from '../core/emulator-error.js'

export const noTest = (): EmulatorError =>
  new EmulatorError('No test is running whose account this could be.', {
    code: 'no-test',
    hint: 'In tests that run at the same time take one for each: await emulator.freshAccount({ test }). Outside of tests name one: emulator.account(key).',
  })

export const severalTests = (): EmulatorError =>
  new EmulatorError(
    'Several tests are running at the same time, and nobody can tell whose account is meant.',
    {
      code: 'concurrent-tests',
      hint: 'Take one for each: await emulator.freshAccount({ test }), where test is what the test is called with.',
    },
  )

/** @param text what was left behind, as `looseEndsText` writes it */
export const looseEnds = (who: string, text: string): EmulatorError => {
  const error = new EmulatorError(`${who} leaves loose ends.\n\n${text}`, { code: 'loose-ends' })
  // The stack would lead into the helper, where there is nothing to see.
  error.stack = `${error.name}: ${error.message}`
  return error
}
