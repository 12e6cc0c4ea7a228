import { expect, test } from 'vitest'
import { cachedOpenApiDocument, openApiDocument } from '../../src/openapi/document.js'

test('the document of a part and an address is made once', async () => {
  const first = await cachedOpenApiDocument({ part: 'control', server: 'http://one:4010' })
  expect(await cachedOpenApiDocument({ part: 'control', server: 'http://one:4010' })).toBe(first)
  expect(first).toEqual(await openApiDocument({ part: 'control', server: 'http://one:4010' }))
})

test('another part or address has a document of its own', async () => {
  const { paths } = await cachedOpenApiDocument({ part: 'service' })
  expect(Object.keys(paths)).not.toContain('/_backlot/clock')
  const { servers } = await cachedOpenApiDocument({ part: 'service', server: 'http://two:4010' })
  expect(servers).toEqual([{ url: 'http://two:4010' }])
})

test('as many as are kept may be asked for, and more', async () => {
  for (let port = 1; port <= 13; port += 1) {
    const server = `http://localhost:${port}`
    const { servers } = await cachedOpenApiDocument({ part: 'control', server })
    expect(servers).toEqual([{ url: server }])
  }
})
