import { URL } from 'node:url'
import { number, optional, send, text, validateNamed } from '../../emulator/surface/client.js'
import {
  EmulatorError,
  type ImageFormat,
  imageFormats,
  type MediaFacts,
} from '../../emulator/surface/records.js'
import { MATCHER_AGENT } from '../../emulator/surface/verdict.js'
import { validateOptions, validateWords } from '../options.js'
import { expectationText, kindOf, type Matching, type Outcome, subjectText } from './outcome.js'

/** Bytes of a matcher's subject: bytes, a URL, or a response; a text says why there are none. */
const bytesOf = async (value: unknown): Promise<Uint8Array | string> => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  // Frameworks have globals of their own, so that instanceof says nothing.
  const kind = kindOf(value)
  if (kind === 'ArrayBuffer') return new Uint8Array(value as ArrayBuffer)
  if (typeof value === 'string' || kind === 'URL') return fetched(String(value))
  if (typeof (value as Partial<Response> | null | undefined)?.arrayBuffer === 'function')
    return read(value as Response).catch((error: Error) => error.message)
  throw new EmulatorError(`Expected bytes, a URL or a response, found ${subjectText(value)}.`, {
    code: 'wrong-subject',
    hint: 'Give the URL of a result as the service has answered it, or what was read from it.',
  })
}

const MAX_REDIRECTS = 20

const fetched = async (url: string, redirects = 0): Promise<Uint8Array | string> => {
  if (!/^https?:/.test(url)) return `${JSON.stringify(url.slice(0, 80))} is no HTTP URL`
  try {
    const { status, headers, bytes } = await send({
      method: 'GET',
      url,
      headers: { 'user-agent': MATCHER_AGENT },
    })
    return status >= 300 && status < 400 && headers.location !== undefined && redirects < MAX_REDIRECTS
      ? await fetched(new URL(headers.location, url).href, redirects + 1)
      : bytesIn(status, bytes)
  } catch (error) {
    return `${url} cannot be fetched: ${(error as Error).message}`
  }
}

// A clone is read, so that the next matcher can read the response too. That of a library with bodies of another kind, as
// node-fetch, waits until both are read.
const read = async (response: Response): Promise<Uint8Array | string> => {
  const isWebStream = typeof response.body?.tee === 'function'
  const readable = isWebStream && !response.bodyUsed ? response.clone() : response
  return bytesIn(response.status ?? 200, new Uint8Array(await readable.arrayBuffer()))
}

const MAX_SHOWN = 200

const bytesIn = (status: number, bytes: Uint8Array): Uint8Array | string =>
  status >= 200 && status < 300
    ? bytes
    : `the answer was ${status}: ${Buffer.from(bytes.subarray(0, MAX_SHOWN))}`

/** Options of `toBeAVideo`: the facts that it must have. */
export interface VideoOptions {
  /** In pixels. */
  readonly width?: number | undefined
  /** In pixels. */
  readonly height?: number | undefined
  /** Within a tenth of a second: sound and pictures do not end at the same instant. */
  readonly seconds?: number | undefined
  /** Exact. */
  readonly framesPerSecond?: number | undefined
  /** Id of the task whose result it must be, by the mark in the file. */
  readonly task?: string | undefined
}

/** Options of `toBeAnImage`: the facts that it must have. */
export interface ImageOptions {
  /** In pixels. */
  readonly width?: number | undefined
  /** In pixels. */
  readonly height?: number | undefined
  /** @throws EmulatorError `bad-option` for one that there is not */
  readonly format?: ImageFormat | undefined
}

/** Options of `toBeAPicture`: the facts that it must have, and whose result it must be. */
export interface PictureOptions extends ImageOptions {
  /** Id of the task, or of the request where there is no task, by the mark in the file. */
  readonly task?: string | undefined
}

const sizeKinds = { width: optional(number), height: optional(number) }
const videoKinds = {
  ...sizeKinds,
  seconds: optional(number),
  framesPerSecond: optional(number),
  task: optional(text),
}
const imageKinds = { ...sizeKinds, format: optional(text) }
const pictureKinds = { ...imageKinds, task: optional(text) }

export async function toBeAVideo(
  this: Matching,
  value: unknown,
  wanted: VideoOptions = {},
): Promise<Outcome> {
  validateOptions('toBeAVideo', wanted, Object.keys(videoKinds))
  validateNamed('toBeAVideo', wanted, videoKinds)
  return compared(this, 'video', value, wanted)
}

export async function toBeAnImage(
  this: Matching,
  value: unknown,
  wanted: ImageOptions = {},
): Promise<Outcome> {
  return comparedImage(this, 'toBeAnImage', value, wanted, imageKinds)
}

export async function toBeAPicture(
  this: Matching,
  value: unknown,
  wanted: PictureOptions = {},
): Promise<Outcome> {
  return comparedImage(this, 'toBeAPicture', value, wanted, pictureKinds)
}

const comparedImage = (
  matching: Matching,
  name: string,
  value: unknown,
  wanted: PictureOptions,
  kinds: Parameters<typeof validateNamed>[2],
): Promise<Outcome> => {
  validateOptions(name, wanted, Object.keys(kinds))
  validateNamed(name, wanted, kinds)
  if (wanted.format !== undefined) validateWords('image format', [wanted.format], imageFormats)
  return compared(matching, 'image', value, wanted)
}

const SECONDS_APART = 0.1

const compared = async (
  { isNot }: Matching,
  kind: 'video' | 'image',
  value: unknown,
  wanted: VideoOptions & PictureOptions,
): Promise<Outcome> => {
  const { facts, found } = await factsOf(value, wanted.task !== undefined)
  const asked = Object.entries(wanted).filter(([, want]) => want !== undefined)
  const isSame = ([name, want]: readonly [string, unknown]): boolean => {
    const has = (facts as unknown as Record<string, unknown> | undefined)?.[name]
    return name === 'seconds' ? Math.abs(Number(has) - Number(want)) <= SECONDS_APART : has === want
  }
  const what = [kind === 'image' ? 'an image' : 'a video', ...asked.map(([name, want]) => `${name} ${want}`)]
  return {
    pass: facts?.kind === kind && asked.every(isSame),
    message: () => expectationText(isNot, 'the file', `be ${what.join(', ')}`, `and it is ${found}`),
  }
}

/**
 * Facts of a matcher's subject, if it can be read, and a description of it.
 * @throws EmulatorError `no-file` where there are no bytes: a URL that is answered with an error is no proof of `not.toBeAVideo()`
 */
const factsOf = async (
  value: unknown,
  isTaskAsked: boolean,
): Promise<{
  readonly facts?: MediaFacts & { readonly task?: string | undefined }
  readonly found: string
}> => {
  const bytes = await bytesOf(value)
  if (typeof bytes === 'string')
    throw new EmulatorError(`Expected a file, and there is none: ${bytes}.`, {
      code: 'no-file',
      hint: 'Where there must be none, check the status of the answer.',
    })
  const { probe, readMark } = await import('../../emulator/surface/records.js')
  const facts = await probe(bytes)
  if (facts.kind === 'unreadable') return { found: `nothing that can be read: ${facts.detail}` }
  if (!isTaskAsked) return { facts, found: described(facts) }
  const task = readMark(bytes)?.task
  const whose = task === undefined ? 'no mark of a task: Backlot did not make it' : `task ${task}`
  return { facts: { ...facts, task }, found: `${described(facts)}, ${whose}` }
}

const described = (facts: MediaFacts): string => {
  const bytes = `${facts.bytes} bytes`
  if (facts.kind === 'audio') return `a sound: ${facts.format}, ${facts.seconds} s, ${bytes}`
  const size = `width ${facts.width}, height ${facts.height}`
  if (facts.kind === 'image') return `an image: ${facts.format}, ${size}, ${bytes}`
  return `a video: ${facts.format}, ${size}, seconds ${facts.seconds}, framesPerSecond ${facts.framesPerSecond}, ${bytes}`
}
