import type { Body, FormShape } from '../../core/operation.js'
import { bounds } from './read-form.js'

type MaxBytes = ReturnType<FormShape['maxBytes']>

/** What a form that could not be read is to the operation; every trouble has words of its own. */
export const troubleWith = (error: unknown, fileField: string, most: MaxBytes): Body => {
  const { code, field, message, hint } = error as HealthIssue
  if (hint !== undefined) return { kind: 'not-kept', detail: `${message} ${hint}`.replace(/\.$/, '') }
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(most)
  return {
    kind: 'unreadable',
    detail: detailOf(code, field, fileField) ?? `The form cannot be read: ${message}`,
  }
}

interface HealthIssue {
  /** Of multer. */
  readonly code?: string
  /** The field of the form that it is about. */
  readonly field?: string
  readonly message: string
  /** Of the emulator's own errors alone. */
  readonly hint?: string
}

export const tooLarge = ({ bytes, setting }: MaxBytes): Body => ({
  kind: 'too-large',
  limit: bytes,
  detail: `The file is larger than ${bytes} bytes, the most that a file of any kind may have (setting ${setting})`,
})

// Which parts are files is decided by the parser; a part that was never meant as one is passed by without its value.
const MORE_FILES =
  'The form has more than one file: every part counts as one that has a file name, or the Content-Type application/octet-stream (send texts such as group_id without either)'

const detailOf = (
  code: string | undefined,
  field: string | undefined,
  fileField: string,
): string | undefined => {
  switch (code) {
    case 'LIMIT_PART_COUNT':
      return `The form has more than ${bounds.parts} parts`
    case 'LIMIT_FIELD_COUNT':
      return `The form has more than ${bounds.fields} fields`
    case 'LIMIT_FILE_COUNT':
      return MORE_FILES
    case 'LIMIT_UNEXPECTED_FILE':
      return `The form has a file in the field ${JSON.stringify(field)}; the file goes into the field ${JSON.stringify(fileField)}`
    case 'LIMIT_FIELD_KEY':
      return `The form has a field whose name is longer than ${bounds.fieldNameSize} bytes`
    case 'LIMIT_FIELD_VALUE':
      return `The field ${JSON.stringify(field)} is longer than ${bounds.fieldSize} bytes`
    case 'LIMIT_FIELD_NESTING':
      return `The form has no fields with brackets in their names, found ${JSON.stringify(field)}`
    case 'MISSING_FIELD_NAME':
      return 'The form has a part without a name'
    default:
      return undefined
  }
}
