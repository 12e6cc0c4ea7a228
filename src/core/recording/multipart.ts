import { bytesOfStandIn } from '../media/stand-in.js'
import type { BytesOf } from './call-of.js'
import type { RecordedRequest } from './recording.js'

const BOUNDARY = 'backlot-recording'
/** The type of such a body. */
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8')

/** The body of a form that is sent again; files that are not at hand have stand-ins. */
export const multipart = (
  { fields, files }: NonNullable<RecordedRequest['form']>,
  bytesOf: BytesOf,
): Uint8Array => {
  const parts = [
    ...Object.entries(fields).map(([name, value]) => [`name="${quoted(name)}"`, utf8(value)] as const),
    ...files.map(({ field, name, ...standIn }) => {
      const bytes = bytesOf(standIn.sha256) ?? bytesOfStandIn(standIn)
      return [`name="${quoted(field)}"; filename="${quoted(name)}"`, bytes] as const
    }),
  ]
  const chunks = parts.flatMap(([disposition, bytes]) => [
    utf8(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    bytes,
    utf8('\r\n'),
  ])
  return Buffer.concat([...chunks, utf8(`--${BOUNDARY}--\r\n`)])
}

const quoted = (name: string): string => name.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, ' ')
