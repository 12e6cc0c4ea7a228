import type { MediaFacts } from '../../core/media/facts.js'
import { validateOptions } from '../known-words.js'
import { bytesOf } from './bytes.js'
import { expected, type Matching, type Outcome } from './outcome.js'

export interface VideoOptions {
  readonly width?: number
  readonly height?: number
  /** Within a tenth of a second: sound and pictures do not end at the same instant. */
  readonly seconds?: number
  readonly framesPerSecond?: number
}

export interface ImageOptions {
  readonly width?: number
  readonly height?: number
  /** `png`, `jpeg`. */
  readonly format?: string
}

/** Whether bytes, or what a URL leads to, are a video that can be read, of such a size and length. */
export async function toBeAVideo(
  this: Matching,
  value: unknown,
  wanted: VideoOptions = {},
): Promise<Outcome> {
  validateOptions('toBeAVideo', wanted, ['width', 'height', 'seconds', 'framesPerSecond'])
  return compared(this, 'video', value, wanted)
}

/** Whether bytes, or what a URL leads to, are an image that can be read, of such a size. */
export async function toBeAnImage(
  this: Matching,
  value: unknown,
  wanted: ImageOptions = {},
): Promise<Outcome> {
  validateOptions('toBeAnImage', wanted, ['width', 'height', 'format'])
  return compared(this, 'image', value, wanted)
}

const SECONDS_APART = 0.1

const compared = async (
  { isNot }: Matching,
  kind: 'video' | 'image',
  value: unknown,
  wanted: VideoOptions & ImageOptions,
): Promise<Outcome> => {
  const { facts, found } = await factsOf(value)
  const asked = Object.entries(wanted).filter(([, want]) => want !== undefined)
  const isSame = ([name, want]: readonly [string, unknown]): boolean => {
    const has = (facts as unknown as Record<string, unknown> | undefined)?.[name]
    return name === 'seconds' ? Math.abs(Number(has) - Number(want)) <= SECONDS_APART : has === want
  }
  const what = [kind === 'image' ? 'an image' : 'a video', ...asked.map(([name, want]) => `${name} ${want}`)]
  return {
    pass: facts?.kind === kind && asked.every(isSame),
    message: () => expected(isNot, 'what was given', `be ${what.join(', ')}`, `and it is ${found}`),
  }
}

interface Found {
  /** Undefined where there is nothing that can be read. */
  readonly facts?: MediaFacts
  /** In words. */
  readonly found: string
}

const factsOf = async (value: unknown): Promise<Found> => {
  const had = await bytesOf(value)
  if ('why' in had) return { found: `nothing at all: ${had.why}` }
  const { probe } = await import('../../server/media/probe/index.js')
  const facts = await probe(had.bytes)
  return facts.kind === 'unreadable'
    ? { found: `nothing that can be read: ${facts.detail}` }
    : { facts, found: described(facts) }
}

const described = (facts: MediaFacts): string => {
  const bytes = `${facts.bytes} bytes`
  if (facts.kind === 'audio') return `a sound: ${facts.format}, ${facts.seconds} s, ${bytes}`
  const size = `width ${facts.width}, height ${facts.height}`
  if (facts.kind === 'image') return `an image: ${facts.format}, ${size}, ${bytes}`
  return `a video: ${facts.format}, ${size}, seconds ${facts.seconds}, framesPerSecond ${facts.framesPerSecond}, ${bytes}`
}
