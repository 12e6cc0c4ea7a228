import { setTimeout as delay } from 'node:timers/promises'
import { noQuotas, type Quotas } from '../../accounts/quotas.js'
import { EmulatorError } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/health-issue.js'
import { contentTypeOf, extensionOf, hashOf, type MediaSpec } from '../../core/media/spec.js'
import { explainSystemError, isDiskFull } from '../../core/system-error.js'
import { createFiles, type HeldFile } from '../files/file-cache.js'
import { createInputs, type InputsOptions } from './input-pictures.js'
import { createQueue } from './queue.js'
import { createRender, type Render, type RenderOptions } from './render.js'
import { createSingleFlight } from './single-flight.js'

export interface RendererOptions {
  /** Where drawn files are kept. It is made when the first is drawn; what an earlier process left in it is used again. */
  readonly folder: string
  readonly maxDiskBytes: number
  /** For the users' pictures, cut to the sizes in which they were drawn. */
  readonly maxMemoryBytes: number
  readonly rendersAtOnce: number
  /** Left out: the one installed with the package, else the first of the PATH. */
  readonly ffmpegPath?: string | undefined
  /** From the moment on that a render's turn has come. */
  readonly renderTimeoutMs: number
  /** The bytes of a user's input by their SHA-256 in hex; undefined when they are not stored. */
  readonly readBlob: (hash: string) => Promise<Uint8Array | undefined>
  /** Told of every drawing that failed, and of every one that did not; left out where nobody listens. */
  readonly health?: HealthReporter
  /** How many may wait to be drawn; left out, any number. */
  readonly rendersWaiting?: number
  readonly bounds?: Quotas
}

export interface RenderedFile {
  /** Absolute, in the studio's folder, and there until `release` is called. */
  readonly path: string
  readonly contentType: 'image/png' | 'video/mp4'
  readonly bytes: number
  /** Strong and quoted, from the spec and the renderer's version. */
  readonly etag: string
  release(): void
}

export interface RendererStats {
  /** Files drawn to their end. */
  readonly renders: number
  readonly failures: number
  /** Milliseconds that drawing took, of all that were begun. */
  readonly renderMs: number
  /** Opened files that were there already. */
  readonly hits: number
  readonly misses: number
  readonly diskBytes: number
  readonly memoryBytes: number
  readonly waiting: number
  readonly running: number
}

/** Draws pictures and videos, and keeps them. */
export interface Renderer {
  /**
   * The file that a spec describes, drawn now or before. However many ask at once, it is drawn once; when all of them have
   * left, drawing ends. A failed drawing rejects with an EmulatorError, and the next call tries again.
   */
  open(spec: MediaSpec, signal?: AbortSignal): Promise<RenderedFile>
  stats(): RendererStats
  /** Ends what is being drawn, and comes back when no process is left. */
  stop(): Promise<void>
}

/** Cheap: nothing is read, made or loaded before the first file is opened. */
export const createRenderer = (options: RendererOptions): Renderer => {
  const { bounds = noQuotas, rendersWaiting } = options
  const files = createFiles(options.folder, options.maxDiskBytes, () => bounds.hit('media-on-disk'))
  const queue = createQueue(options.rendersAtOnce, {
    ...(rendersWaiting === undefined
      ? {}
      : { most: rendersWaiting, full: () => tooManyWait(rendersWaiting) }),
    onWait: (waiting) => {
      bounds.hit('renders')
      bounds.saw('renders-waiting', waiting)
    },
  })
  const flights = createSingleFlight<HeldFile>()
  const { folder, ffmpegPath, renderTimeoutMs: timeoutMs } = options
  const ended = new AbortController()
  const { readBlob, maxMemoryBytes } = options
  const ways = { readBlob, maxMemoryBytes, bounds, folder, ffmpegPath, timeoutMs, ended: ended.signal }
  const { render, memoryBytes } = createLateDrawing(ways)
  const counts = { renders: 0, failures: 0, hits: 0, misses: 0, renderMs: 0 }
  const { health = noHealthReporter } = options
  bounds.measure({
    renders: queue.running,
    'renders-waiting': queue.waiting,
    'media-on-disk': files.bytes,
    'media-in-memory': memoryBytes,
  })
  const tooManyWait = (most: number): EmulatorError => {
    bounds.refuse('renders-waiting')
    return new EmulatorError(`${most} media wait to be drawn, and the setting rendersWaiting is ${most}.`, {
      code: 'renders-full',
      hint: 'Ask again in a moment, or raise the setting.',
    })
  }

  const draw = (name: string, spec: MediaSpec, signal: AbortSignal): Promise<HeldFile> =>
    queue.run(async () => {
      const begunAt = performance.now()
      try {
        const file = await drawn(name, spec, signal)
        counts.renders += 1
        health.resolve(dependencyOf(spec))
        return file
      } catch (error) {
        if (signal.aborted) throw error
        counts.failures += 1
        const explained = explainSystemError(`A ${spec.kind} could not be kept`, error)
        health.report(dependencyOf(spec), explained)
        throw explained
      } finally {
        counts.renderMs += performance.now() - begunAt
      }
    }, signal)

  /** What was drawn before is worth less than what somebody waits for: it goes where the disk is full. */
  const drawn = async (name: string, spec: MediaSpec, signal: AbortSignal): Promise<HeldFile> => {
    const once = async () => files.put(name, await render(spec, signal))
    try {
      return await once()
    } catch (error) {
      if (!isDiskFull(error) || files.bytes() === 0) throw error
      await files.makeRoom()
      return once()
    }
  }

  const held = async (name: string, spec: MediaSpec, signal?: AbortSignal): Promise<HeldFile> => {
    await files.ready()
    const taking = files.take(name)
    const file = taking && (await taking)
    counts[file ? 'hits' : 'misses'] += 1
    if (file) return file
    ended.signal.throwIfAborted()
    return flights.join(name, (given) => draw(name, spec, given), signal)
  }

  return {
    open: async (spec, signal) => {
      ended.signal.throwIfAborted()
      signal?.throwIfAborted()
      const key = hashOf(spec, RENDERER_VERSION)
      const file = await held(`${key}.${extensionOf(spec)}`, spec, signal)
      return {
        path: file.path,
        contentType: contentTypeOf(spec),
        bytes: file.bytes,
        etag: `"${key}"`,
        release: () => file.release(),
      }
    },
    stats: () => ({
      ...counts,
      diskBytes: files.bytes(),
      memoryBytes: memoryBytes(),
      waiting: queue.waiting(),
      running: queue.running(),
    }),
    stop: async () => {
      ended.abort(new EmulatorError('The studio was stopped.', { code: 'studio-stopped' }))
      await Promise.race([flights.end(ended.signal.reason), delay(STOP_MS, undefined, { ref: false })])
    },
  }
}

const dependencyOf = ({ kind }: MediaSpec) => (kind === 'video' ? 'videos' : 'pictures')

// Killed processes are gone at once. What sharp has begun cannot be ended, and nobody needs to wait for it.
const STOP_MS = 200

export type DrawingOptions = InputsOptions & Omit<RenderOptions, 'inputs'>

/** What draws, with the users' pictures that it keeps in memory. */
export const createDrawing = (options: DrawingOptions) => {
  const inputs = createInputs(options)
  return { render: createRender({ ...options, inputs }), memoryBytes: inputs.memoryBytes }
}

type Drawing = ReturnType<typeof createDrawing>

/** What draws, loaded with the first medium: it is a tenth of the whole, and most tests look at none. */
const createLateDrawing = (options: DrawingOptions): Drawing => {
  let drawing: Drawing | undefined
  const loaded = async (): Promise<Drawing> => {
    const { createDrawing } = await import('./renderer.js')
    drawing ??= createDrawing(options)
    return drawing
  }
  const render: Render = async (spec, signal) => {
    const { render } = await loaded()
    signal.throwIfAborted()
    return render(spec, signal)
  }
  return { render, memoryBytes: () => drawing?.memoryBytes() ?? 0 }
}

/** Part of the name of every drawn file: to be raised whenever the same spec begins to look different. */
const RENDERER_VERSION = '5'
