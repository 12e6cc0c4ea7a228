import { expect, test } from 'vitest'
import { parseCurl } from '../../../src/ui/state/curl.js'

test('a command of curl is read with its quotes, its headers and its body', () => {
  const command = `curl -sS -X POST 'http://127.0.0.1:4650/v1/videos?a=1&b=%20c' \\
  -H 'Authorization: Bearer my-key' --header "X-Own: \\"a\\" b" \\
  --data-raw '{"prompt":"it'\\''s a tram"}'`
  expect(parseCurl(command)).toEqual({
    method: 'POST',
    path: '/v1/videos',
    query: { a: '1', b: ' c' },
    headers: [
      ['Authorization', 'Bearer my-key'],
      ['X-Own', '"a" b'],
    ],
    body: `{"prompt":"it's a tram"}`,
  })
})

test.each([
  ['curl localhost:4650/v1/videos/1', 'GET'],
  ['curl -I http://a.test/x', 'HEAD'],
  ['curl http://a.test/x -d {}', 'POST'],
  ['curl --json {} http://a.test/x', 'POST'],
  ['curl -XDELETE http://a.test/x', 'DELETE'],
  ['curl --request=PUT --url http://a.test/x', 'PUT'],
  ['curl -F file=@a.png http://a.test/x', 'POST'],
  ['curl -G -d a=1 http://a.test/x', 'GET'],
  ['curl --max-time 5 -o out.json http://a.test/x', 'GET'],
])('%s has the method %s', (command, method) => {
  const call = parseCurl(command)
  expect(call.method).toBe(method)
  expect(call.path).toMatch(/^\/(x|v1\/videos\/1)$/)
})

test('parts of a form are its fields, and a file has none of its bytes', () => {
  expect(parseCurl('curl http://a.test/up -F file=@a.png -F group_id=a=b').form).toEqual({
    file: '',
    group_id: 'a=b',
  })
})

test('escapes of a shell and continued lines are read', () => {
  expect(parseCurl(`curl http://a.test/x -d $'{"a":"\\u00e9\\n"}'`).body).toBe('{"a":"é\n"}')
  expect(parseCurl('curl http://a.test/x -d "a\\\nb \\$1"').body).toBe('ab $1')
})

test.each([
  ['wget http://a.test', 'The text does not begin with curl.'],
  ['curl -s', 'The command has no URL.'],
  [`curl 'http://a.test`, 'A quote of the command is not closed.'],
  ['curl http://a.test -d @body.json', 'The body is in the file body.json, which a page cannot read.'],
])('%s is refused with a sentence', (command, message) => {
  expect(() => parseCurl(command)).toThrow(message)
})
