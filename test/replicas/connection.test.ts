import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolder } from '../accounts/persistence/start.js'
import { launch } from './launch.js'
import { openClient } from './redis-process.js'
import { describeWithRedis, startRedis } from './redis-server.js'
import { clientOf, replicasOn } from './replicas.js'

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
    const health = await clientOf(url, 'k').ask('/_backlot/health')
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
    expect(other.printed()).toContain('certificate')
  }, 120_000)
})
