import type { Decision, Operation } from '../../../../src/emulator/core/contract.js'
import type { MediaFacts, MediaFormat, Unreadable } from '../../../../src/emulator/core/media/input.js'
import type { Call, FormFile } from '../../../../src/emulator/core/model/call.js'
import { assetLibrary } from '../../../../src/emulator/families/d-assets/index.js'
import { ask, type ContextParts, contextWith, type TestContext } from '../context.js'

const [uploading, resolving] = assetLibrary.operations(assetLibrary) as [Operation, Operation]

export const picture = { kind: 'image', format: 'png', bytes: 3_894, width: 640, height: 360 } as const
export const clip = {
  kind: 'video',
  format: 'mp4',
  bytes: 30_424,
  width: 480,
  height: 320,
  seconds: 3,
  framesPerSecond: 24,
  videoCodec: 'h264',
} as const
export const tone = { kind: 'audio', format: 'mp3', bytes: 6_372, seconds: 3 } as const

/** A file of a form as it is when it has been read. */
export const fileOf = (facts: MediaFacts = picture, change: Partial<FormFile> = {}): FormFile => ({
  field: 'file',
  name: `file.${facts.format}`,
  bytes: facts.bytes,
  blob: 'b'.repeat(64),
  format: facts.format,
  probe: facts,
  ...change,
})

export const unreadableFile = (
  reason: Unreadable['reason'],
  detail: string,
  format?: MediaFormat,
): FormFile => {
  const { format: _, ...file } = fileOf()
  return {
    ...file,
    probe: { kind: 'unreadable', reason, detail },
    ...(format === undefined ? {} : { format }),
  }
}

const callOf = ({ route }: Operation, parts: Partial<Call>): Call => ({
  ...{ method: route.method, path: route.path, params: {}, query: new URLSearchParams() },
  body: { kind: 'none' },
  ...parts,
})

/** Decides an upload and lets its account remember it. `null` is a form without a file. */
export const upload = (
  file: FormFile | null = fileOf(),
  fields: Record<string, string> = {},
  context: TestContext = contextWith(),
): Decision => {
  const body = { kind: 'form', fields, files: file === null ? [] : [file] } as const
  return ask(uploading, callOf(uploading, { body }), context)
}

export const resolve = (jobId: string | undefined, context: TestContext): Decision => {
  const query = new URLSearchParams(jobId === undefined ? {} : { task_id: jobId })
  return ask(resolving, callOf(resolving, { query }), context)
}

/** Uploads a file into a context of its own. */
export const uploaded = (file: FormFile, parts: ContextParts = {}) => {
  const context = contextWith(parts)
  const { reply } = upload(file, {}, context)
  return { context, jobId: (reply.body as { data: { task_id: string } }).data.task_id }
}

/** The body of a refusal with this text. */
export const refusal = (code: number, text: unknown) => ({ code, data: null, msg: text, message: text })
