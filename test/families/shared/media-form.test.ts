import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formOf } from '../../../src/families/shared/media-rules.js'

test.each([
  ['http://a.test', 'url'],
  ['https://a.test/b.png?c=d#e', 'url'],
  ['HTTPS://A.TEST', 'url'],
  ['http://127.0.0.1:4010/x', 'url'],
  ['http://[::1]:4010/x', 'url'],
  ['data:image/png;base64,AAAA', 'base64'],
  ['DATA:IMAGE/PNG;BASE64,AAAA', 'base64'],
  ['data:;base64,', 'base64'],
  ['data:image/png;charset=utf-8;base64,AAAA', 'base64'],
  ['asset://asset-1', 'asset'],
  ['asset://x', 'asset'],
])('%s is of the form %s', (url, form) => expect(formOf(url)).toBe(form))

test.each([
  '',
  'a.png',
  '//a.test',
  'ftp://a.test',
  'http://',
  'http:///x',
  'http:\\\\x',
  ' http://a.test',
  'http://a.test ',
  'http://a.test\n',
  'http://[',
  'asset://',
  'asset:x',
  'data:,x',
  'data:image/png;base64',
  'javascript:1',
])('%j has no form', (url) => expect(formOf(url)).toBeUndefined())

test('what has the form of a URL can be read as one', () => {
  fc.assert(
    fc.property(fc.string(), (rest) => {
      const url = `http://${rest}`
      if (formOf(url) === 'url') expect(URL.canParse(url)).toBe(true)
    }),
  )
})
