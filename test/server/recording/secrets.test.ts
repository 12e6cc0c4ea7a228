import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { KEY, openSession, paths, replayed, text, videoTask } from './session.js'

const fixture = (name: string) => readFile(new URL(`../../../fixtures/media/${name}`, import.meta.url))

const secrets = {
  inBody: KEY,
  ofReceiver: 'receiver-password',
  ofReceiversQuery: 'receiver-token',
  ofMedium: 'medium-signature',
  ofCookie: 'cookie-secret',
  ofQuery: 'query-secret',
  ofFragment: 'fragment-secret',
}

const recorded = async (): Promise<string> => {
  const { emulator, client, saved } = await openSession({ callbackHosts: ['*'], fetchMedia: 'none' })
  const base64 = (await fixture('square.png')).toString('base64')
  await client.post(paths.second, {
    ...{ model: 'gamma-H3', content: [text()], duration: 5 },
    callback_url: `http://user:${secrets.ofReceiver}@127.0.0.1:9/hook?token=${secrets.ofReceiversQuery}`,
  })
  for (const url of [
    `https://media.example.test/cat.png?X-Signature=${secrets.ofMedium}#${secrets.ofFragment}`,
    `data:image/png;base64,${base64}`,
    base64,
  ])
    await client.post(
      paths.tasks,
      videoTask({ content: [text(), { type: 'image_url', image_url: { url } }] }),
    )
  await client.post(paths.tasks, videoTask({ api_key: KEY, model: `data:x;base64,${base64}` }))
  await client.post(paths.tasks, `{"key": "${KEY}", "image": "data:image/png;base64,${base64}`)
  await client.get(`/no/such?url=https://x.test/?k=${secrets.ofQuery}`, { cookie: secrets.ofCookie })
  await client.upload('square.png', await fixture('square.png'), { group_id: KEY })
  await emulator.account(KEY).scenario.play({
    ...{ name: 'mine', says: 'One account is refused.' },
    steps: [{ when: { account: KEY, operation: 'b-video-task.list' }, then: { answer: { status: 418 } } }],
  })
  await client.get(paths.tasks)
  return saved()
}

test('a recording holds no key, no other secret and no Base64', async () => {
  const recording = await recorded()
  for (const secret of Object.values(secrets)) expect(recording).not.toContain(secret)
  // Hashes have 64 letters.
  expect(recording.match(/[A-Za-z0-9+/]{65,}/g)).toBeNull()
})

test('what was left out does not change the answers', async () => {
  const report = await replayed(await recorded())
  expect(report.differing).toEqual([])
  expect(report.calls).toBe(9)
})
