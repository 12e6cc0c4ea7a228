import { expect, test } from 'vitest'
import { settingsOf } from './sources.js'

const files = { 'backlot.config.json': '{"seed":2,"callbackHosts":["a.test","b.test"]}' }
const environment = { BACKLOT_SEED: '3', BACKLOT_CALLBACK_HOSTS: 'c.test' }
const flags = ['--seed', '4']

test.each([
  ['nothing leaves the default', {}, 1],
  ['the file', { files }, 2],
  ['the environment wins over the file', { files, environment }, 3],
  ['the flag wins over both', { files, environment, flags }, 4],
])('%s', async (_, written, seed) => expect((await settingsOf(written)).settings.seed).toBe(seed))

test('a stronger list replaces a weaker one as a whole', async () => {
  expect((await settingsOf({ files, environment })).settings.callbackHosts).toEqual(['c.test'])
})

test.each([
  ['the configuration', { files: { 'backlot.config.json': '{"port":5000}' } }, 0],
  ['the environment', { environment: { BACKLOT_PORT: '5000' } }, 0],
  ['a flag', { flags: ['--port', '5000'] }, 5000],
])('where the port is to be a free one, that of %s makes it %j', async (_, written, port) =>
  expect((await settingsOf(written, { isPortFree: true })).settings.port).toBe(port),
)

test('switches of the command line can stand in the file', async () => {
  const written = { files: { 'backlot.config.yaml': 'json: true\nquiet: true\n' } }
  expect(await settingsOf(written)).toMatchObject({ json: true, quiet: true })
})
