import type { IncomingMessage } from 'node:http'
import { EmulatorError } from '../../core/emulator-error.js'
import type { Body, FormFile } from '../../core/operation.js'
import type { BlobStore } from '../media/blobs/index.js'
import type { StorageMeans } from './file-storage.js'
import { createLookAt } from './look-at.js'
import { type FormLimits, type ReadFile, readForm } from './read-form.js'

/** Reads one form into a body: its file is streamed to `path`, looked at, and moved into the blob store. */
export const createTakeIn = (blobs: BlobStore, means: StorageMeans) => {
  const lookAt = createLookAt()

  const keep = async (path: string, file: ReadFile): Promise<FormFile> => {
    const { field, name, bytes } = file
    const kept = { field, name, bytes, ...(await lookAt(path, file)) }
    await blobs.putFile(path, { hash: kept.blob, bytes: kept.bytes })
    if (!(await blobs.pin(kept.blob)))
      throw new EmulatorError('The file had to make room for other inputs.', {
        code: 'inputs-full',
        hint: 'Raise the setting inputBytes.',
      })
    return kept
  }

  return async (request: IncomingMessage, path: string, limits: FormLimits): Promise<Body> => {
    const { fields, file } = await readForm(request, path, limits, means)
    const repeated = Object.keys(fields).find((name) => typeof fields[name] !== 'string')
    if (repeated !== undefined)
      return {
        kind: 'unreadable',
        detail: `The form has the field ${JSON.stringify(repeated)} more than once`,
      }
    return {
      kind: 'form',
      fields: fields as Record<string, string>,
      files: file === undefined ? [] : [await keep(path, file)],
    }
  }
}
