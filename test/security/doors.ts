import { readFile } from 'node:fs/promises'
import { type Answer, type Asked, askAt, imageOrder, paths, videoOrder } from './raw-calls.js'

const mark = (name: string): string => `Unmistakable-${name}-8f3kQ0`

/** What must never be read anywhere, each with the door that it is sent through. */
export const secrets = {
  key: mark('key'),
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${mark('jwt')}`,
  proxyAuthorization: mark('proxy'),
  cookie: mark('cookie'),
  apiKeyHeader: mark('header'),
  customHeader: mark('custom'),
  oldHeader: mark('old'),
  controlToken: mark('control'),
  query: mark('query'),
  queryList: mark('queries'),
  queryOfNoOperation: mark('nowhere'),
  bodyField: mark('field'),
  nestedField: mark('nested'),
  listedField: mark('listed'),
  brokenBody: mark('broken'),
  formField: mark('form'),
  userOfCallback: mark('user'),
  tokenOfCallback: mark('hook'),
  signatureOfMedium: mark('medium'),
  userOfMedium: mark('owner'),
  quotedUrl: mark('quoted'),
} as const

/** A piece of every Base64 text that is sent. */
export const base64Piece = 'iVBORw0KGgoAAAANSUhEUgAA'

const fixture = (name: string) => readFile(new URL(`../../fixtures/media/${name}`, import.meta.url))

/** The secrets that a text holds, by their names. */
export const leaksIn = (text: string): string[] => [
  ...Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : [])),
  // A part of it is enough.
  ...(text.includes('8f3kQ0') ? ['part of a secret'] : []),
  ...(text.includes(base64Piece) ? ['Base64'] : []),
]

const everyHeader = {
  'content-type': 'application/json',
  'proxy-authorization': `Basic ${secrets.proxyAuthorization}`,
  cookie: `session=${secrets.cookie}; theme=dark`,
  'x-api-key': secrets.apiKeyHeader,
  'x-goog-auth-token': secrets.customHeader,
  'x-api-key-old': secrets.oldHeader,
  referer: `https://app.test/?access_token=${secrets.customHeader}`,
}

const withKey = (key: string, body: object | string, headers: object = {}): Asked => ({
  method: 'POST',
  headers: { ...everyHeader, authorization: `Bearer ${key}`, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const image = (url: string) => ({ type: 'image_url', image_url: { url } })

/** Sends every secret through every door that takes one; answers what was answered. */
export const sendSecrets = async (port: number): Promise<Answer[]> => {
  const base64 = (await fixture('square.png')).toString('base64')
  const { key } = secrets
  const post = (path: string, body: object | string, headers?: object) =>
    askAt(port, path, withKey(key, body, headers))
  const medium = `https://${secrets.userOfMedium}:x@media.test/cat.png?X-Amz-Signature=${secrets.signatureOfMedium}`
  const callback = `http://hook:${secrets.userOfCallback}@127.0.0.1:9/hook?token=${secrets.tokenOfCallback}`
  const extra = {
    api_key: secrets.bodyField,
    user: { accessToken: secrets.nestedField, list: [key] },
    api_keys: [secrets.listedField],
    credentials: { value: secrets.listedField },
  }
  const creating = [
    [paths.image, imageOrder(`draw ${key}`, [{ image: medium }])],
    [paths.tasks, videoOrder({ callback_url: callback })],
    [paths.videos, { model: 'videoa-2-0-260128', media: [{ type: 'text', text: 'x' }], seconds: '4' }],
    [paths.videos, { model: 'videob-1-0-ref', prompt: 'x' }],
    [
      paths.second,
      { model: 'gamma-H3', content: [{ type: 'text', text: 'x' }], duration: 5, callback_url: callback },
    ],
  ] as const
  const answers: Answer[] = []
  for (const [path, body] of creating)
    for (const given of [
      { ...body, ...extra },
      { ...body, model: key },
      { ...body, callback_url: `nowhere://receiver.test?token=${secrets.quotedUrl}` },
      { ...body, content: [image(`data:image/png;base64,${base64}`), image(base64), image(medium), key] },
      `{"api_key": ${secrets.brokenBody}, "image": "data:image/png;base64,${base64}"}`,
      `{"access_token": "${secrets.brokenBody}`,
      [base64],
    ])
      answers.push(await post(`${path}?api_key=${secrets.query}&token[]=${secrets.queryList}`, given))
  answers.push(await post(paths.tasks, videoOrder(), { authorization: secrets.jwt }))
  answers.push(await post(paths.tasks, videoOrder(), { authorization: `Bearer invalid-${key}` }))
  answers.push(await post(`/no/such?token=${secrets.queryOfNoOperation}`, extra))
  answers.push(
    await askAt(port, `${paths.tasks}?filter.task_ids=${key}&access_token=${secrets.query}`, withKeyOnly),
  )
  answers.push(await upload(port, await fixture('square.png'), secrets.formField))
  answers.push(await upload(port, Buffer.from(base64), secrets.formField))
  return answers
}

const withKeyOnly: Asked = { headers: { ...everyHeader, authorization: secrets.key } }

const upload = (port: number, bytes: Uint8Array, secret: string): Promise<Answer> => {
  const field = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `${field('api_key', secret)}--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
  return askAt(port, paths.upload, {
    method: 'POST',
    headers: {
      ...everyHeader,
      authorization: `Bearer ${secrets.key}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]),
  })
}
