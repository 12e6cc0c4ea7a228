import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { FORM_TYPE, formOf } from '../../test/emulator/media/uploads/reception.js'
import { oddText } from './odd.js'
import type { FuzzRequest } from './request.js'

const file = (name: string): Buffer => readFileSync(new URL(`../../fixtures/media/${name}`, import.meta.url))

// Small ones: what is drawn here a thousand times is looked at a thousand times.
const files = [
  'side-256.png',
  'landscape.jpg',
  'landscape.gif',
  'landscape.webp',
  'tone-1s.mp3',
  'tone-1s.wav',
  'clip-1s.mp4',
]
  .map(file)
  .filter((bytes) => bytes.length < 200_000)

/** A file with some of its bytes changed, or its end cut off. */
const damaged: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(...files),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
    fc.option(fc.nat()),
  )
  .map(([original, flips, end]) => {
    const bytes = Buffer.from(original)
    // Most of what a file says of itself stands at its beginning.
    for (const [at, value] of flips)
      bytes[at % Math.min(bytes.length, at % 2 === 0 ? 200 : bytes.length)] = value
    return end === null ? bytes : bytes.subarray(0, end % bytes.length)
  })

const name = fc.oneof(
  fc.constantFrom('file', 'file', 'file', 'group_id', '__proto__', 'a[b]', ''),
  oddText.map((text) => text.replace(/["\r\n]/g, '')),
)

const part = fc.record(
  { name, filename: oddText.map((text) => text.replace(/["\r\n]/g, '')), value: damaged },
  { requiredKeys: ['value'] },
)

/** Forms of files that are damaged, under names that are unusual. */
export const upload: fc.Arbitrary<FuzzRequest> = fc
  .record({
    parts: fc.oneof(
      { weight: 3, arbitrary: damaged.map((value) => [{ name: 'file', filename: 'a.png', value }]) },
      { weight: 1, arbitrary: fc.array(part, { maxLength: 4 }) },
    ),
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constant(FORM_TYPE) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('multipart/form-data', 'multipart/form-data; boundary=', 'text/plain'),
      },
    ),
    cut: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(400) }),
  })
  .map(({ parts, type, cut }) => {
    const body = formOf(parts)
    return {
      method: 'POST',
      path: '/v1/asset/upload',
      headers: { 'Content-Type': type },
      body: cut === 0 ? body : body.subarray(0, Math.max(0, body.length - cut)),
    }
  })
