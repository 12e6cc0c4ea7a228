import { join } from 'node:path'
import { createSemaphore, lateImport, memoizeLoad, type Semaphore } from '../../concurrency.js'
import { EmulatorError, explainSystemError } from '../../core/errors.js'
import type { HealthReporter } from '../../core/events.js'
import { type FileSpec, hashOf, shownVideosOf } from '../../core/media/spec.js'
import type { QuotaReporter } from '../../core/quotas.js'
import { platform, RENDERER_VERSION, version } from '../../version.js'
import { createMediaCache, type MediaCache, mediaCacheFolders } from '../files/media-cache.js'
import { removeStaleTemporaries } from '../files/temporary-folders.js'
import { ffmpegBuild } from './ffmpeg.js'
import type { Render, RenderOptions } from './render.js'
import { type Shared, SingleFlight } from './single-flight.js'

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

/** Health of the steps. One that works says nothing about another: ffmpeg tells its version, and renders nothing. */
export class RenderHealth {
  readonly #health: HealthReporter
  /** Steps that failed and have not worked since. */
  readonly #failed = { videos: new Set<Step>(), pictures: new Set<Step>() }
  failures = 0

  constructor(health: HealthReporter) {
    this.#health = health
  }

  /** Does a step of the work on a spec, and reports its failure, unless it was aborted. */
  async watch<T>(step: Step, spec: FileSpec, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const dependency = dependencyOf(spec)
    try {
      const result = await work()
      this.#failed[dependency].delete(step)
      return result
    } catch (cause) {
      if (signal.aborted) throw cause
      this.failures += 1
      this.#failed[dependency].add(step)
      const error = explainSystemError(`A ${spec.kind} could not be kept`, cause)
      this.#health.report(dependency, error)
      throw error
    }
  }

  /** A file of a spec was made: what was reported is over, unless a step still fails. */
  made(spec: FileSpec): void {
    const dependency = dependencyOf(spec)
    if (this.#failed[dependency].size === 0) this.#health.resolve(dependency)
  }
}

const dependencyOf = ({ kind }: FileSpec) => (kind === 'video' ? 'videos' : 'pictures')

interface DrawingsOptions extends Omit<RenderOptions, 'folder' | 'ended'> {
  /** Folder of all runs, in which stale files of earlier ones are removed. */
  readonly folder: string
  readonly rendersAtOnce: number
  readonly rendersWaiting?: number
  readonly mediaCache?: string | undefined
  readonly mediaFolder?: string | undefined
  readonly onCacheTrouble?: (sentence: string) => void
}

interface DrawingsParts {
  /** Folder of this run. */
  readonly folder: string
  /** Aborted when nothing new may begin. */
  readonly ended: AbortSignal
  readonly quotas: QuotaReporter
  readonly health: RenderHealth
}

/** Drawings of specs: each is looked up in the media cache, and rendered in its turn where it is not there. */
export class Drawings {
  readonly #options: DrawingsOptions
  readonly #parts: DrawingsParts
  readonly #semaphore: Semaphore
  readonly #flights = new SingleFlight<Drawing>()
  readonly #openMediaCache: () => Promise<MediaCache>
  // Loaded with the first medium: it is a tenth of the emulator, and most tests look at none.
  #render: Render | undefined
  #renders = 0
  /** Failed renders count in it too. */
  #renderMs = 0

  constructor(options: DrawingsOptions, parts: DrawingsParts) {
    this.#options = options
    this.#parts = parts
    this.#semaphore = renderSemaphore(options, parts.quotas)
    this.#openMediaCache = memoizeLoad(async () => {
      // What a process that was killed has left of an earlier run.
      await removeStaleTemporaries(options.folder)
      const folders = await mediaCacheFolders(options)
      const { onCacheTrouble: onTrouble = () => {} } = options
      return createMediaCache({
        folders: folders.length === 0 ? [join(parts.folder, 'drawings')] : folders,
        onTrouble,
      })
    })
    parts.quotas.measure({
      renders: () => this.#semaphore.held,
      'renders-waiting': () => this.#semaphore.waiting,
      'media-in-memory': () => this.#memoryBytes,
    })
  }

  /** The drawing of a spec. However many ask at once, it is rendered once; when all of them have left, the render ends. */
  async draw(spec: FileSpec, signal: AbortSignal): Promise<Buffer> {
    const { bytes } = await this.#flights.join(hashOf(spec), (shared) => this.#make(spec, shared), signal)
    return bytes
  }

  stats() {
    return {
      renders: this.#renders,
      renderMs: this.#renderMs,
      memoryBytes: this.#memoryBytes,
      waiting: this.#semaphore.waiting,
      running: this.#semaphore.held,
    }
  }

  end(reason: Error): Promise<void> {
    return this.#flights.end(reason)
  }

  get #memoryBytes(): number {
    return this.#render?.memoryBytes() ?? 0
  }

  async #load(): Promise<Render> {
    const { createRender } = await importRender()
    const { folder, ended } = this.#parts
    this.#render ??= createRender({ ...this.#options, folder, ended })
    return this.#render
  }

  async #make(spec: FileSpec, signal: AbortSignal): Promise<Drawing> {
    const mediaCache = await this.#openMediaCache()
    const entry = await this.#parts.health.watch('identify', spec, signal, () => this.#entryOf(spec))
    const kept = await mediaCache.read(entry)
    signal.throwIfAborted()
    if (kept !== undefined) return asDrawing(kept)
    const bytes = await this.#renderInTurn(spec, signal)
    await mediaCache.write(entry, bytes)
    return asDrawing(bytes)
  }

  /** Name in the media cache. The builds of ffmpeg, and the platforms, encode and draw a little differently. */
  async #entryOf(spec: FileSpec): Promise<string> {
    const usesFfmpeg = spec.kind === 'video' || shownVideosOf(spec).length > 0
    const build = usesFfmpeg ? ((await ffmpegBuild(this.#options.ffmpeg)) ?? '') : ''
    return hashOf(spec, RENDERER_VERSION, version, platform, build)
  }

  #renderInTurn(spec: FileSpec, signal: AbortSignal): Promise<Buffer> {
    const work = async (): Promise<Buffer> => {
      const begunAt = performance.now()
      try {
        const { render } = await this.#load()
        signal.throwIfAborted()
        const bytes = await render(spec, signal)
        this.#renders += 1
        return bytes
      } finally {
        this.#renderMs += performance.now() - begunAt
      }
    }
    return this.#semaphore.run(() => this.#parts.health.watch('render', spec, signal, work), signal)
  }
}

const importRender = lateImport(() => import('./render.js'))

const renderSemaphore = (
  { rendersAtOnce, rendersWaiting = Number.POSITIVE_INFINITY }: DrawingsOptions,
  quotas: QuotaReporter,
): Semaphore => {
  const queueFull = (): EmulatorError => {
    quotas.refuse('renders-waiting')
    const state = `${rendersWaiting} media wait to be rendered, and the setting rendersWaiting is ${rendersWaiting}.`
    return new EmulatorError(state, {
      code: 'renders-full',
      hint: 'Ask again in a moment, or raise the setting.',
    })
  }
  return createSemaphore(rendersAtOnce, {
    maxWaiting: rendersWaiting,
    whenFull: queueFull,
    onWait: (waiting) => {
      quotas.hit('renders')
      quotas.observe('renders-waiting', waiting)
    },
    onHold: (held) => quotas.observe('renders', held),
  })
}
