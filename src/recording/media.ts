import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Medium } from '../emulator/surface/journal.js'
import type { FormFile, Probe, ResolvedMedia } from '../emulator/surface/records.js'
import type { ResolveMedia } from '../emulator/surface/starting.js'
import type { AccountLine, Line, RecordedRequest, Recording } from '../traffic/format.js'

/** Reads the bytes of a medium by their hash; undefined where the recording does not have them. */
export type ReadMedium = (sha256: string) => Promise<Uint8Array | undefined>

/** Folder beside a recording, with a file for each of its media by its hash. */
const folderOf = (recording: string): string => `${recording}.media`

/** Media of the folder beside a recording. */
export const mediaReader =
  (file?: string): ReadMedium =>
  async (sha256) =>
    file === undefined ? undefined : readFile(`${folderOf(file)}/${sha256}`).catch(() => undefined)

/** Writer of media into the folder beside a recording, each once, one after the other. */
export const createMediaWriter = (recording: string, readBlob: ReadMedium) => {
  const written = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  const write = async (sha256: string): Promise<void> => {
    const bytes = await readBlob(sha256)
    if (bytes === undefined) return
    await mkdir(folderOf(recording), { recursive: true, mode: 0o700 })
    await writeFile(`${folderOf(recording)}/${sha256}`, bytes, { mode: 0o600 })
  }
  return {
    save: (hashes: readonly string[]): void => {
      for (const sha256 of hashes) {
        if (written.has(sha256)) continue
        written.add(sha256)
        // A medium that cannot be written is replayed by its recorded facts.
        last = last.then(() => write(sha256)).catch(() => undefined)
      }
    },
    flush: () => last,
  }
}

/** Hashes of the media that a line names. */
export const hashesIn = (line: Line): string[] => {
  if (line.kind === 'account') return line.state?.accounts[0]?.assets.map(({ blob }) => blob) ?? []
  if (line.kind !== 'call') return []
  const { media = [], form } = line.request
  return [
    ...media.flatMap((medium) => ('sha256' in medium ? [medium.sha256] : [])),
    ...(form?.files ?? []).map(({ sha256 }) => sha256),
  ]
}

/** Media of a state document that are at hand, in Base64 by their hash. */
export const mediaOfState = async (line: AccountLine, readMedium: ReadMedium) => {
  const media: Record<string, string> = {}
  for (const sha256 of hashesIn(line)) {
    const bytes = await readMedium(sha256)
    if (bytes !== undefined) media[sha256] = Buffer.from(bytes).toString('base64')
  }
  return media
}

/** Whether all media that a recording names have their bytes. */
export const hasAllMedia = async ({ lines }: Recording, readMedium: ReadMedium): Promise<boolean> => {
  for (const sha256 of new Set(lines.flatMap(({ line }) => hashesIn(line))))
    if ((await readMedium(sha256)) === undefined) return false
  return true
}

/** Placeholder of a kind of media whose bytes are lost: one of the fixtures. */
export const placeholderName = (kind: Probe['kind']): string =>
  ({ image: 'landscape.jpg', video: 'clip.mp4', audio: 'tone.mp3', unreadable: 'cut-short.png' })[kind]

interface RecordedMediaDependencies {
  readonly readMedium: ReadMedium
  readonly readFixture: (name: string) => Promise<Uint8Array | undefined>
  /** Stores an input. Resolves with its hash. */
  readonly putBlob: (bytes: Uint8Array) => Promise<string>
}

/** Recorded media, for the emulator of a replay: it fetches no URL that a request names, and has placeholders for lost media. */
export const createRecordedMedia = ({ readMedium, readFixture, putBlob }: RecordedMediaDependencies) => {
  let current: RecordedRequest | undefined
  let resolved: ReadonlyMap<string, ResolvedMedia> = new Map()

  const resolve = async (medium: Medium): Promise<ResolvedMedia | undefined> => {
    if ('characters' in medium) return undefined
    if ('refused' in medium) return { state: 'refused', reason: medium.refused, detail: medium.detail }
    const { sha256, facts, is } = medium
    if (facts.kind === 'unreadable') return { state: 'refused', reason: 'unreadable', detail: facts.detail }
    const origin = isUrl(is) ? new URL(is).pathname.split('/').at(-1) || new URL(is).hostname : 'Base64'
    const bytes = (await readMedium(sha256)) ?? (await readFixture(placeholderName(facts.kind)))
    return { state: 'read', facts, blob: bytes === undefined ? sha256 : await putBlob(bytes), origin }
  }

  return {
    /** Prepares for the request that is sent next. */
    begin: async (request: RecordedRequest): Promise<void> => {
      current = request
      const media = await Promise.all(
        (request.media ?? []).map(async (medium) => [medium.is, await resolve(medium)] as const),
      )
      resolved = new Map(media.flatMap(([is, one]) => (one === undefined ? [] : [[is, one]])))
    },
    wrapMediaResolver:
      (resolveMedia: ResolveMedia): ResolveMedia =>
      async (mediaRefs, ...rest) => {
        const recorded = resolved
        const others = mediaRefs.filter(({ url }) => !recorded.has(url))
        const known = [...recorded].filter(([is]) => mediaRefs.some(({ url }) => url === is))
        return new Map([...(await resolveMedia(others, ...rest)), ...known])
      },
    inspectUpload: (file: FormFile): FormFile => {
      const recorded = current?.form?.files.find(({ field }) => field === file.field)
      if (recorded === undefined || recorded.sha256 === file.blob) return file
      const { sha256: _, ...facts } = recorded
      return { ...facts, name: file.name, blob: file.blob } as FormFile
    },
  }
}

const isUrl = (text: string): boolean => /^https?:/i.test(text)
