import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openFolder } from '../emulator/accounts/persistence/start.js'
import { clientOf } from '../emulator.js'
import { launch } from './launch.js'
import { openClient } from './redis-process.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { replicasOn } from './replicas.js'

test('a start with a store says what to install where the client of the store is missing', async () => {
  const hook = `import Module from 'node:module'
    const resolve = Module._resolveFilename
    Module._resolveFilename = (name, ...rest) => {
      if (name.startsWith('@redis/')) throw Object.assign(new Error('Cannot find ' + name), { code: 'MODULE_NOT_FOUND' })
      return resolve(name, ...rest)
    }`
  const { ended, printed } = launch(['--store', 'redis://127.0.0.1:1'], {
    node: ['--import', `data:text/javascript,${encodeURIComponent(hook)}`],
  })
  expect(await ended).toEqual([1, null])
  expect(printed()).toContain('needs the package @redis/client, which is not installed')
  expect(printed()).toContain('npm install @redis/client@6')
})

describeWithRedis('the URL of a store', () => {
  test('it names a database, and all keys in it begin with the prefix', async () => {
    const { url } = await startRedis()
    const { replica, storePrefix } = replicasOn(`${url}/3`)
    expect((await (await replica()).as('k').create()).status).toBe(200)
    const client = await openClient(url)
    expect(await client.dbSize()).toBe(0)
    await client.select(3)
    const keys = await client.keys('*')
    expect(keys.length).toBeGreaterThan(3)
    expect(keys.filter((key) => !key.startsWith(storePrefix))).toEqual([])
    await client.close()
  })

  test('its password is used and never printed, and neither is a wrong one', async () => {
    const { port } = await startRedis(['--requirepass', 'hunter2-right'], {
      urlOf: (at) => `redis://:hunter2-right@127.0.0.1:${at}`,
    })
    const right = launch(['--store', `redis://:hunter2-right@127.0.0.1:${port}`])
    const url = await right.ready()
    expect((await clientOf(url, 'k').create()).status).toBe(200)
    const health = await clientOf(url, 'k').ask('GET', '/_backlot/health')
    expect(JSON.stringify(health)).not.toContain('hunter2')
    const wrong = launch(['--store', `redis://:hunter2-wrong@127.0.0.1:${port}`])
    expect((await wrong.ended)[0]).toBe(1)
    expect(wrong.printed()).toContain(`The shared store redis://127.0.0.1:${port} cannot be used`)
    expect(wrong.printed()).toContain('Check the user and the password in the URL (setting store)')
    const missing = launch(['--store', `redis://127.0.0.1:${port}`])
    expect((await missing.ended)[0]).toBe(1)
    expect(missing.printed()).toContain('Check the user and the password in the URL (setting store)')
    expect(right.printed() + wrong.printed()).not.toContain('hunter2')
  }, 120_000)

  test('with rediss:// it is reached by TLS, where its certificate is trusted', async () => {
    const folder = await openFolder()
    const [key, ca] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', ca]
    execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' })
    const files = ['--tls-cert-file', ca, '--tls-key-file', key, '--tls-ca-cert-file', ca]
    const { url: store } = await startRedis([...files, '--tls-auth-clients', 'no'], {
      ...{ urlOf: (port: number) => `rediss://127.0.0.1:${port}`, ca },
    })
    const trusting = launch(['--store', store], { env: { NODE_EXTRA_CA_CERTS: ca } })
    expect((await clientOf(await trusting.ready(), 'k').create()).status).toBe(200)
    const other = launch(['--store', store])
    expect((await other.ended)[0]).toBe(1)
    expect(other.printed()).toContain(`The shared store ${store} cannot be used`)
    expect(other.printed()).toContain('certificate (NODE_EXTRA_CA_CERTS names a file')
    expect(other.printed()).toContain('Check its certificate')
    expect(other.printed()).not.toContain('Start it')
  }, 120_000)
})

describeWithRedis('a store that cannot be used at the start', () => {
  const failed = (url: string) =>
    replicasOn(url)
      .replica()
      .then(
        () => undefined,
        ({ code, hint }) => ({ code, hint }),
      )
  const unavailable = (hint: string) => ({ code: 'store-unavailable', hint: expect.stringContaining(hint) })

  test('the error says what to do, and not that it mends itself', async () => {
    const replicaOf = await startRedis(['--replicaof', '127.0.0.1', '1'])
    expect(await failed(replicaOf.url)).toEqual(
      unavailable('It is a replica of another server: name the primary'),
    )
    const cluster = await startRedis(['--cluster-enabled', 'yes'])
    expect(await failed(cluster.url)).toEqual(unavailable('The cluster mode of Redis is not supported'))
    const { url, port } = await startRedis()
    expect(await failed(`${url}/99`)).toEqual(unavailable('Name a database that it has'))
    const client = await openClient(url)
    await client.sendCommand(['ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '+@all', '-@write'])
    const reader = await failed(`redis://reader:secret@127.0.0.1:${port}`)
    expect(reader).toEqual(
      unavailable('Let its user run the commands and use the keys that docs/scaling.md lists.'),
    )
    expect(JSON.stringify(reader)).not.toContain('nothing has to be restarted')
    await client.close()
  }, 60_000)

  test.each(['garbage', '{}', '[]', '{"seed":1}'])('a damaged server record: %s', async (text) => {
    const { url } = await startRedis()
    const { replica, storePrefix } = replicasOn(url)
    const client = await openClient(url)
    await client.set(`${storePrefix}server`, text)
    await expect(replica()).rejects.toMatchObject({
      code: 'bad-state',
      message: expect.stringMatching(
        /the key test-.*:server is damaged\.\nRestore it .*set another storePrefix/,
      ),
    })
    await client.close()
  })

  test('a key of the wrong type is a health issue until the store can be used', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const { url } = await startRedis()
    const { replica, storePrefix } = replicasOn(url)
    const one = await replica()
    const client = await openClient(url)
    await client.set(`${storePrefix}accounts`, 'x')
    const { status, body } = await one.as('k').create()
    expect([status, body.error.message]).toEqual([503, expect.not.stringContaining('script')])
    const health = async () => JSON.stringify((await one.as('k').ask('GET', '/_backlot/health')).body)
    expect(await health()).toContain('Something else has written a key of this prefix')
    vi.useRealTimers()
    await client.del(`${storePrefix}accounts`)
    expect((await one.as('k').create()).status).toBe(200)
    expect(await health()).not.toContain('troubles')
    await client.close()
  })
})

describeWithRedis('a user of a store', () => {
  test('may have the commands that docs/scaling.md lists alone, and is warned without INFO', async () => {
    const page = await readFile('docs/scaling.md', 'utf8')
    const listed = /needs these commands: ([^.]*)\./.exec(page)?.[1] ?? ''
    const commands = [...listed.matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
      name.toLowerCase().replace(' ', '|'),
    )
    const { url, port } = await startRedis()
    const { replica, storePrefix } = replicasOn(`redis://narrow:secret@127.0.0.1:${port}`)
    const client = await openClient(url)
    const rights = ['on', '>secret', `~${storePrefix}*`, ...commands.map((name) => `+${name}`)]
    await client.sendCommand(['ACL', 'SETUSER', 'narrow', ...rights])
    const warned: string[] = []
    const one = await replica({}, { onWarning: (sentence) => warned.push(sentence) })
    expect((await one.as('k').create()).status).toBe(200)
    expect((await one.as('k').list()).body.total).toBe(1)
    await one.as('k').reset()
    expect(warned).toEqual([])
    expect(JSON.stringify((await one.as('k').ask('GET', '/_backlot/health')).body)).not.toContain('troubles')
    await client.sendCommand(['ACL', 'SETUSER', 'narrow', '-info'])
    expect(
      (await (await replica({}, { onWarning: (sentence) => warned.push(sentence) })).as('k').create()).status,
    ).toBe(200)
    expect(warned).toEqual([
      expect.stringMatching(/^It could not be checked whether the shared store evicts keys; .*noeviction\./),
    ])
    await client.close()
  })
})
