import { writeFile } from 'node:fs/promises'
import { createSemaphore, lateImport, waitAtMost } from '../../concurrency.js'
import { EmulatorError, explainSystemError, isDiskFull } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/events.js'
import { contentTypeOf, extensionOf, hashOf, type MediaSpec } from '../../core/media/spec.js'
import { noQuotaReporter } from '../../core/quotas.js'
import { RENDERER_VERSION } from '../../version.js'
import { createFileCache, type HeldFile } from '../files/file-cache.js'
import type { createRender, RenderOptions } from './render.js'

interface RendererOptions extends Omit<RenderOptions, 'folder' | 'ended'> {
  /** The cache of rendered files. It is made with the first file; what an earlier process left in it is used again. */
  readonly folder: string
  readonly mediaDiskBytes: number
  readonly rendersAtOnce: number
  /** How many renders may wait. Default: any number. */
  readonly rendersWaiting?: number
  readonly health?: HealthReporter
}

export interface RenderedFile {
  /** Absolute, in the cache, and there until `release` is called. */
  readonly path: string
  readonly contentType: 'image/png' | 'video/mp4'
  readonly bytes: number
  /** Strong and quoted, from the spec and the renderer's version. */
  readonly etag: string
  release(): void
}

/** Renderer of pictures and videos, with a cache of what it has rendered. */
export type Renderer = ReturnType<typeof createRenderer>
export type RendererStats = ReturnType<Renderer['stats']>

const importRender = lateImport(() => import('./render.js'))

/** Creates a renderer. Nothing is read, made or loaded before the first file is opened. */
export const createRenderer = (options: RendererOptions) => {
  const { folder, quotas = noQuotaReporter, health = noHealthReporter } = options
  const { rendersWaiting = Number.POSITIVE_INFINITY } = options
  const cache = createFileCache({
    folder,
    maxBytes: options.mediaDiskBytes,
    namePattern: /^[0-9a-f]{64}\.(png|mp4)$/,
    onEvict: () => quotas.hit('media-on-disk'),
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
  const singleFlight = createSingleFlight()
  const ended = new AbortController()
  // Hits are opened files that were in the cache. Failed renders count in the milliseconds too.
  const counts = { renders: 0, failures: 0, hits: 0, misses: 0, renderMs: 0 }

  // Loaded with the first medium: it is a tenth of the emulator, and most tests look at none.
  let renderer: ReturnType<typeof createRender> | undefined
  const render = async (spec: MediaSpec, signal: AbortSignal): Promise<Buffer> => {
    const { createRender } = await importRender()
    signal.throwIfAborted()
    renderer ??= createRender({ ...options, ended: ended.signal })
    return renderer.render(spec, signal)
  }
  const memoryBytes = () => renderer?.memoryBytes() ?? 0
  quotas.measure({
    renders: () => semaphore.held,
    'renders-waiting': () => semaphore.waiting,
    'media-on-disk': () => cache.stats().bytes,
    'media-in-memory': memoryBytes,
  })

  const renderInto = async (name: string, spec: MediaSpec, signal: AbortSignal): Promise<HeldFile> => {
    const once = async () => {
      const bytes = await render(spec, signal)
      return cache.add(name, bytes.byteLength, (path) => writeFile(path, bytes))
    }
    try {
      return await once()
    } catch (error) {
      // Older files are worth less than the one that is asked for.
      if (!isDiskFull(error) || cache.stats().files === 0) throw error
      await cache.evictAll()
      return once()
    }
  }

  const renderInTurn = (name: string, spec: MediaSpec, signal: AbortSignal): Promise<HeldFile> =>
    semaphore.run(async () => {
      const dependency = spec.kind === 'video' ? 'videos' : 'pictures'
      const begunAt = performance.now()
      try {
        const file = await renderInto(name, spec, signal)
        counts.renders += 1
        health.resolve(dependency)
        return file
      } catch (cause) {
        if (signal.aborted) throw cause
        counts.failures += 1
        const error = explainSystemError(`A ${spec.kind} could not be kept`, cause)
        health.report(dependency, error)
        throw error
      } finally {
        counts.renderMs += performance.now() - begunAt
      }
    }, signal)

  return {
    /**
     * The file that a spec describes, rendered now or before. However many ask at once, it is rendered once; when all of
     * them have left, the render ends. A failed render rejects with an EmulatorError, and the next call tries again.
     */
    open: async (spec: MediaSpec, signal?: AbortSignal): Promise<RenderedFile> => {
      ended.signal.throwIfAborted()
      signal?.throwIfAborted()
      const key = hashOf(spec, RENDERER_VERSION)
      const name = `${key}.${extensionOf(spec)}`
      // A folder that cannot be read is reported when the file is written.
      const cached = await cache.hold(name).catch(() => undefined)
      counts[cached ? 'hits' : 'misses'] += 1
      ended.signal.throwIfAborted()
      const file =
        cached ?? (await singleFlight.join(name, (shared) => renderInTurn(name, spec, shared), signal))
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
      await waitAtMost(STOP_MS, singleFlight.end(ended.signal.reason))
    },
  }
}

// Killed processes are gone at once. What sharp has begun cannot be ended, and nothing needs to wait for it.
const STOP_MS = 200

type Work = (signal: AbortSignal) => Promise<HeldFile>

interface SharedWork {
  readonly result: Promise<HeldFile>
  readonly controller: AbortController
  waiting: number
}

/** Single flight: a file is made once however many callers ask for it, and the work is aborted when all have left. */
export const createSingleFlight = () => {
  const running = new Map<string, SharedWork>()
  const ending = new Set<Promise<unknown>>()
  const begin = (name: string, work: Work): SharedWork => {
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
  const leave = (name: string, shared: SharedWork, reason: unknown) => {
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
    join: async (name: string, work: Work, signal?: AbortSignal): Promise<HeldFile> => {
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
