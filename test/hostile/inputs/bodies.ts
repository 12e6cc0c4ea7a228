import { gzipSync } from 'node:zlib'

/** A body that is sent where JSON of a family is expected. */
export interface HostileBody {
  readonly name: string
  readonly bytes: () => Buffer | string
  readonly headers?: Readonly<Record<string, string>>
}

const MIB = 2 ** 20

/** JSON that is none, or that no client would send. Each is refused in the words of the family. */
export const refusedBodies: readonly HostileBody[] = [
  { name: 'nothing', bytes: () => '' },
  { name: 'JSON that ends in the middle', bytes: () => '{"model":"' },
  { name: 'a byte order mark', bytes: () => '\uFEFF{}' },
  { name: 'UTF-8 that is none', bytes: () => Buffer.from('{"model":"\xff\xfe\xc0\x80"}', 'latin1') },
  { name: 'UTF-16', bytes: () => Buffer.from('{"model":"x"}', 'utf16le') },
  { name: 'NUL bytes', bytes: () => Buffer.alloc(1_000) },
  { name: 'NaN', bytes: () => '{"model":NaN}' },
  { name: 'brackets, 100,000 deep', bytes: () => '['.repeat(100_000) + ']'.repeat(100_000) },
  { name: 'objects, 20,000 deep', bytes: () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}` },
  { name: 'brackets that never close', bytes: () => '['.repeat(3 * MIB) },
  { name: 'brackets, a million deep', bytes: () => '['.repeat(MIB) + ']'.repeat(MIB) },
  { name: 'a hundred thousand empty lists', bytes: () => `[${'[],'.repeat(100_000)}[]]` },
  { name: 'four million zeros', bytes: () => `[${'0,'.repeat(4 * MIB)}0]` },
  { name: 'a million names', bytes: () => `{${Array.from({ length: MIB }, (_, at) => `"a${at}":0`)}}` },
  { name: 'a text that never ends', bytes: () => `{"model":"${'x'.repeat(8 * MIB)}` },
  { name: 'a model of eight million letters', bytes: () => `{"model":"${'x'.repeat(8 * MIB)}"}` },
  { name: 'a URL of eight million letters', bytes: () => `{"model":"http://x/?a=${'x'.repeat(8 * MIB)}"}` },
  { name: 'quotes of quotes', bytes: () => `{"model":"${'\\"'.repeat(MIB)}"}` },
  { name: 'a number of a million digits', bytes: () => `{"model":${'9'.repeat(MIB)}}` },
  {
    name: 'a packed body',
    bytes: () => gzipSync(Buffer.alloc(64 * MIB)),
    headers: { 'Content-Encoding': 'gzip' },
  },
  {
    name: 'a body in an unknown encoding',
    bytes: () => '{}',
    headers: { 'Content-Encoding': 'x-unheard-of, gzip' },
  },
  { name: 'a form', bytes: () => 'a=b', headers: { 'Content-Type': 'multipart/form-data; boundary=b' } },
  { name: 'a prompt in place of an object', bytes: () => '"a lighthouse"' },
  { name: 'null', bytes: () => 'null' },
]

/** What stands in place of the value of a field: names of the language, and numbers that are hard to hold. */
export const oddFields: readonly { readonly name: string; readonly json: string }[] = [
  { name: '__proto__', json: '"__proto__":{"polluted":true}' },
  { name: 'constructor', json: '"constructor":{"prototype":{"polluted":true}}' },
  { name: 'toString', json: '"toString":1,"valueOf":null,"hasOwnProperty":0' },
  { name: 'an empty name', json: '"":1' },
  { name: 'a long name', json: `"${'n'.repeat(100_000)}":1` },
  { name: 'a name with a NUL', json: '"a\\u0000b":1' },
  { name: 'half of a pair of surrogates', json: '"x":"\\ud800"' },
]

/** Where an integer is expected. */
export const oddNumbers = [
  '1e400',
  '-1e400',
  '-0',
  '9007199254740993',
  '1.5',
  '1e-400',
  '2147483648e3',
  '"1"',
  'null',
]
