import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSemaphore, lateImport, memoizeLoad, waitAtMost } from '../../concurrency.js'
import { EmulatorError, explainSystemError, isDiskFull } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/events.js'
import { type Mark, markOf } from '../../core/media/mark.js'
import {
  contentTypeOf,
  extensionOf,
  type FileSpec,
  hashOf,
  shapeOf,
  shownVideosOf,
} from '../../core/media/spec.js'
import { noQuotaReporter } from '../../core/quotas.js'
import { platform, RENDERER_VERSION, version } from '../../version.js'
import { createFileCache, type HeldFile } from '../files/file-cache.js'
import { createMediaCache, mediaCacheFolders } from '../files/media-cache.js'
import { removeStaleTemporaries, temporaryName } from '../files/temporary-folders.js'
import { ffmpegBuild } from './ffmpeg.js'
import type { createRender, RenderOptions } from './render.js'
import { withMark } from './with-mark.js'

interface RendererOptions extends Omit<RenderOptions, 'folder' | 'ended'> {
  /** Folder for the files of this run. Each renderer has one of its own in it, made with the first file and removed at the end. */
  readonly folder: string
  readonly mediaDiskBytes: number
  readonly rendersAtOnce: number
  /** How many renders may wait. Default: any number. */
  readonly rendersWaiting?: number
  /** `plain`: results of one shape are one drawing (setting media). Default: `cards`. */
  readonly media?: 'cards' | 'plain'
  /** Where drawings are kept between runs (setting mediaCache). */
  readonly mediaCache?: string | undefined
  readonly mediaFolder?: string | undefined
  /** Receives a sentence when they cannot be kept there. */
  readonly onCacheTrouble?: (sentence: string) => void
  readonly health?: HealthReporter
}

export interface RenderedFile {
  /** Absolute, in the folder of this run, and there until `release` is called. */
  readonly path: string
  readonly contentType: 'image/png' | 'video/mp4'
  readonly bytes: number
  /** Strong and quoted, from the spec, its mark and the renderer's version. */
  readonly etag: string
  release(): void
}

/** Renderer of pictures and videos, with a cache of what it has rendered. */
export type Renderer = ReturnType<typeof createRenderer>
export type RendererStats = ReturnType<Renderer['stats']>

/** Bytes as they are drawn, without a mark, which is why several results can share them. */
interface Drawing extends Shared<Drawing> {
  readonly bytes: Buffer
}

const asDrawing = (bytes: Buffer): Drawing => {
  const drawing = { bytes, retain: () => drawing, release: () => {} }
  return drawing
}

/** Steps of the making of a file: its drawing is named in the media cache, rendered where it is not there, and the file is kept. */
type Step = 'identify' | 'render' | 'keep'

const dependencyOf = ({ kind }: FileSpec) => (kind === 'video' ? 'videos' : 'pictures')

const importRender = lateImport(() => import('./render.js'))

/**
 * Creates a renderer. Nothing is read, made or loaded before the first file is opened. A drawing is looked up in the media cache
 * and rendered where it is not there; a file is a drawing with the mark of one result, and is kept for this run.
 */
export const createRenderer = (options: RendererOptions) => {
  const { quotas = noQuotaReporter, health = noHealthReporter } = options
  const { rendersWaiting = Number.POSITIVE_INFINITY } = options
  const folder = join(options.folder, temporaryName())
  const cache = createFileCache({
    folder,
    maxBytes: options.mediaDiskBytes,
    namePattern: /^[0-9a-f]{64}\.(png|mp4)$/,
    onEvict: () => quotas.hit('media-on-disk'),
  })
  const openMediaCache = memoizeLoad(async () => {
    // What a process that was killed has left of an earlier run.
    await removeStaleTemporaries(options.folder)
    const folders = await mediaCacheFolders(options)
    const { onCacheTrouble: onTrouble = () => {} } = options
    return createMediaCache({
      folders: folders.length === 0 ? [join(folder, 'drawings')] : folders,
      onTrouble,
    })
  })
  const queueFull = (): EmulatorError => {
    quotas.refuse('renders-waiting')
    const state = `${rendersWaiting} media wait to be rendered, and the setting rendersWaiting is ${rendersWaiting}.`
    return new EmulatorError(state, {
      code: 'renders-full',
      hint: 'Ask again in a moment, or raise the setting.',
    })
  }
  const semaphore = createSemaphore(options.rendersAtOnce, {
    maxWaiting: rendersWaiting,
    whenFull: queueFull,
    onWait: (waiting) => {
      quotas.hit('renders')
      quotas.observe('renders-waiting', waiting)
    },
    onHold: (held) => quotas.observe('renders', held),
  })
  const files = createSingleFlight<HeldFile>()
  const drawings = createSingleFlight<Drawing>()
  const ended = new AbortController()
  // Hits are opened files that were there. Failed renders count in the milliseconds too.
  const counts = { renders: 0, failures: 0, hits: 0, misses: 0, renderMs: 0 }

  // Loaded with the first medium: it is a tenth of the emulator, and most tests look at none.
  let loaded: ReturnType<typeof createRender> | undefined
  const load = async () => {
    const { createRender } = await importRender()
    loaded ??= createRender({ ...options, folder, ended: ended.signal })
    return loaded
  }
  const memoryBytes = () => loaded?.memoryBytes() ?? 0
  quotas.measure({
    renders: () => semaphore.held,
    'renders-waiting': () => semaphore.waiting,
    'media-on-disk': () => cache.stats().bytes,
    'media-in-memory': memoryBytes,
  })

  // Steps that failed and have not worked since. One that works says nothing about another: ffmpeg tells its version, and renders nothing.
  const failed = { videos: new Set<Step>(), pictures: new Set<Step>() }

  /** Does a step of the work on a spec, and reports its failure, unless it was aborted. */
  const reported = async <T>(
    step: Step,
    spec: FileSpec,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    const dependency = dependencyOf(spec)
    try {
      const result = await work()
      failed[dependency].delete(step)
      return result
    } catch (cause) {
      if (signal.aborted) throw cause
      counts.failures += 1
      failed[dependency].add(step)
      const error = explainSystemError(`A ${spec.kind} could not be kept`, cause)
      health.report(dependency, error)
      throw error
    }
  }

  /** Name in the media cache. The builds of ffmpeg, and the platforms, encode and draw a little differently. */
  const entryOf = async (spec: FileSpec): Promise<string> => {
    const usesFfmpeg = spec.kind === 'video' || shownVideosOf(spec).length > 0
    const build = usesFfmpeg ? ((await ffmpegBuild(options.ffmpeg)) ?? '') : ''
    return hashOf(spec, RENDERER_VERSION, version, platform, build)
  }

  const renderInTurn = (spec: FileSpec, signal: AbortSignal): Promise<Buffer> =>
    semaphore.run(
      () =>
        reported('render', spec, signal, async () => {
          const begunAt = performance.now()
          try {
            const { render } = await load()
            signal.throwIfAborted()
            const bytes = await render(spec, signal)
            counts.renders += 1
            return bytes
          } finally {
            counts.renderMs += performance.now() - begunAt
          }
        }),
      signal,
    )

  const draw = async (spec: FileSpec, signal: AbortSignal): Promise<Drawing> => {
    const mediaCache = await openMediaCache()
    const entry = await reported('identify', spec, signal, () => entryOf(spec))
    const kept = await mediaCache.read(entry)
    signal.throwIfAborted()
    if (kept !== undefined) return asDrawing(kept)
    const bytes = await renderInTurn(spec, signal)
    await mediaCache.write(entry, bytes)
    return asDrawing(bytes)
  }

  const makeFile = async (
    name: string,
    spec: FileSpec,
    mark: Mark,
    signal: AbortSignal,
  ): Promise<HeldFile> => {
    const drawing = await drawings.join(hashOf(spec), (shared) => draw(spec, shared), signal)
    const bytes = withMark(drawing.bytes, mark)
    const keep = () => cache.add(name, bytes.length, (path) => writeFile(path, bytes))
    const file = await reported('keep', spec, signal, () =>
      keep().catch(async (error) => {
        // Older files are worth less than the one that is asked for.
        if (!isDiskFull(error) || cache.stats().files === 0) throw error
        await cache.evictAll()
        return keep()
      }),
    )
    if (failed[dependencyOf(spec)].size === 0) health.resolve(dependencyOf(spec))
    return file
  }

  return {
    /**
     * The file that a spec describes, rendered now or before. However many ask at once, it is rendered once; when all of
     * them have left, the render ends. A failed render rejects with an EmulatorError, and the next call tries again.
     */
    open: async (spec: FileSpec, signal?: AbortSignal): Promise<RenderedFile> => {
      ended.signal.throwIfAborted()
      signal?.throwIfAborted()
      const mark = markOf(spec)
      const drawn = options.media === 'plain' ? shapeOf(spec) : spec
      const key = hashOf(drawn, mark, RENDERER_VERSION)
      const name = `${key}.${extensionOf(spec)}`
      // A folder that cannot be read is reported when the file is written.
      const cached = await cache.hold(name).catch(() => undefined)
      counts[cached ? 'hits' : 'misses'] += 1
      ended.signal.throwIfAborted()
      const file = cached ?? (await files.join(name, (shared) => makeFile(name, drawn, mark, shared), signal))
      const { path, bytes, release } = file
      return { path, bytes, release, contentType: contentTypeOf(spec), etag: `"${key}"` }
    },
    stats: () => ({
      ...counts,
      diskBytes: cache.stats().bytes,
      memoryBytes: memoryBytes(),
      waiting: semaphore.waiting,
      running: semaphore.held,
    }),
    /** Ends all renders, and resolves when no process is left. */
    stop: async (): Promise<void> => {
      ended.abort(new EmulatorError('The renderer was stopped.', { code: 'renderer-stopped' }))
      const { reason } = ended.signal
      await waitAtMost(STOP_MS, Promise.all([files.end(reason), drawings.end(reason)]))
      // What cannot be removed now is stale at the next start.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}

// Killed processes are gone at once. What sharp has begun cannot be ended, and nothing needs to wait for it.
const STOP_MS = 200

/** Result that several callers share: each has its own share, to be released. */
interface Shared<T> {
  retain(): T
  release(): void
}

type Work<T> = (signal: AbortSignal) => Promise<T>

interface SharedWork<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/** Single flight: a thing is made once however many callers ask for it, and the work is aborted when all have left. */
export const createSingleFlight = <T extends Shared<T>>() => {
  const running = new Map<string, SharedWork<T>>()
  const ending = new Set<Promise<unknown>>()
  const begin = (name: string, work: Work<T>): SharedWork<T> => {
    const controller = new AbortController()
    const result = work(controller.signal)
    const shared = { result, controller, waiting: 0 }
    running.set(name, shared)
    const over = result
      .catch(() => undefined)
      .finally(() => {
        if (running.get(name) === shared) running.delete(name)
        ending.delete(over)
      })
    ending.add(over)
    return shared
  }
  const leave = (name: string, shared: SharedWork<T>, reason: unknown) => {
    shared.waiting -= 1
    if (shared.waiting > 0) return
    // The next caller begins anew: this work is being aborted.
    if (running.get(name) === shared) running.delete(name)
    shared.controller.abort(reason)
    shared.result.then((result) => result.release()).catch(() => undefined)
  }
  return {
    /**
     * Joins the work of that name, or begins it. Each caller gets its own share of the result, to be released. Rejects with
     * the signal's reason when the caller leaves, and with the work's error when it fails.
     */
    join: async (name: string, work: Work<T>, signal?: AbortSignal): Promise<T> => {
      const shared = running.get(name) ?? begin(name, work)
      shared.waiting += 1
      try {
        const signals = [shared.controller.signal, ...(signal ? [signal] : [])]
        const result = await unlessAborted(shared.result, AbortSignal.any(signals))
        return result.retain()
      } finally {
        leave(name, shared, signal?.reason ?? new Error('all callers have left'))
      }
    },
    /** Ends all of it with this reason, and waits until it has ended. */
    end: async (reason: Error): Promise<void> => {
      for (const { controller } of running.values()) controller.abort(reason)
      await Promise.all(ending)
    },
  }
}

const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
