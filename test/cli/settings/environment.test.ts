import { expect, test } from 'vitest'
import { settingNames, variableOf } from '../../../src/cli/settings/command-settings.js'
import { refusalOf, settingsOf } from './sources.js'

test.each([
  ['port', 'BACKLOT_PORT'],
  ['fetchMedia', 'BACKLOT_FETCH_MEDIA'],
  ['a2Editing', 'BACKLOT_A2_EDITING'],
  ['renderTimeoutMs', 'BACKLOT_RENDER_TIMEOUT_MS'],
])('the variable of %s is %s', (name, variable) => expect(variableOf(name)).toBe(variable))

test('no two settings share a variable', () => {
  expect(new Set(settingNames.map(variableOf)).size).toBe(settingNames.length)
})

test.each([
  [{ BACKLOT_PORT: '8080' }, { port: 8080 }],
  [{ BACKLOT_STRICT: 'true' }, { strict: true }],
  [{ BACKLOT_TASKS_IN_FLIGHT: 'null' }, { tasksInFlight: null }],
  [{ BACKLOT_CALLBACK_HOSTS: 'a.test,b.test' }, { callbackHosts: ['a.test', 'b.test'] }],
  [{ BACKLOT_ACCOUNT: 'alice,bob' }, { account: ['alice', 'bob'] }],
  [{ BACKLOT_PORT: '' }, { port: 4010 }],
])('%j is taken', async (environment, settings) =>
  expect((await settingsOf({ environment })).settings).toMatchObject(settings),
)

test.each([
  [{ BACKLOT_PORT: 'x' }, 'BACKLOT_PORT must be a number, found "x".'],
  [{ BACKLOT_STRICT: 'perhaps' }, 'BACKLOT_STRICT must be a boolean, found "perhaps".'],
  [{ BACKLOT_FETCH_MEDIA: 'some' }, 'BACKLOT_FETCH_MEDIA must be one of none, local, all, found "some".'],
  [{ BACKLOT_PRICES: '3' }, 'BACKLOT_PRICES must be an object, found "3".'],
])('%j is refused', async (environment, message) => expect(await refusalOf({ environment })).toBe(message))

test.each([
  ['a variable that is nearly a setting', { BACKLOT_FETCH_MEDAI: 'all' }, 1],
  ['a variable of somebody else', { BACKLOT_ARTIFACTS_FOLDER: 'x' }, 0],
  ['the variables that exec sets', { BACKLOT_URL: 'http://127.0.0.1:1' }, 0],
  ['a name that does not begin so', { XBACKLOT_PROT: '1' }, 0],
])('%s gives so many warnings: %j', async (_, environment, count) =>
  expect((await settingsOf({ environment: environment as Record<string, string> })).warnings).toHaveLength(
    count,
  ),
)

test('the warning names the variable that was meant', async () => {
  const { warnings } = await settingsOf({ environment: { BACKLOT_PROT: '1' } })
  expect(warnings).toEqual(['BACKLOT_PROT is no setting and was ignored; did you mean BACKLOT_PORT?'])
})
