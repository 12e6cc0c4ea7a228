import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitAtMost } from '../../concurrency.js'
import { EmulatorError, isDiskFull } from '../../core/errors.js'
import { type HealthReporter, noHealthReporter } from '../../core/events.js'
import { type Mark, markOf } from '../../core/media/mark.js'
import { contentTypeOf, extensionOf, type FileSpec, hashOf, shapeOf } from '../../core/media/spec.js'
import { noQuotaReporter } from '../../core/quotas.js'
import { RENDERER_VERSION } from '../../version.js'
import { FileCache, type HeldFile } from '../files/file-cache.js'
import { temporaryName } from '../files/temporary-folders.js'
import { Drawings, RenderHealth } from './drawings.js'
import type { RenderOptions } from './render.js'
import { SingleFlight } from './single-flight.js'
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

export type RendererStats = ReturnType<Renderer['stats']>

/**
 * Renderer of pictures and videos, with a cache of what it has rendered. Nothing is read, made or loaded before the first file
 * is opened. A file is a drawing with the mark of one result, and is kept for this run.
 */
export class Renderer {
  readonly #options: RendererOptions
  /** Of this run. */
  readonly #folder: string
  readonly #cache: FileCache
  readonly #health: RenderHealth
  readonly #drawings: Drawings
  readonly #files = new SingleFlight<HeldFile>()
  readonly #ended = new AbortController()
  /** Opened files that were there. */
  #hits = 0
  #misses = 0

  constructor(options: RendererOptions) {
    const { quotas = noQuotaReporter, health = noHealthReporter } = options
    this.#options = options
    this.#folder = join(options.folder, temporaryName())
    this.#cache = new FileCache({
      folder: this.#folder,
      maxBytes: options.mediaDiskBytes,
      namePattern: /^[0-9a-f]{64}\.(png|mp4)$/,
      onEvict: () => quotas.hit('media-on-disk'),
    })
    this.#health = new RenderHealth(health)
    const { signal: ended } = this.#ended
    this.#drawings = new Drawings(options, { folder: this.#folder, ended, quotas, health: this.#health })
    quotas.measure({ 'media-on-disk': () => this.#cache.stats().bytes })
  }

  /**
   * The file that a spec describes, rendered now or before. However many ask at once, it is rendered once; when all of
   * them have left, the render ends. A failed render rejects with an EmulatorError, and the next call tries again.
   */
  async open(spec: FileSpec, signal?: AbortSignal): Promise<RenderedFile> {
    const ended = this.#ended.signal
    ended.throwIfAborted()
    signal?.throwIfAborted()
    const mark = markOf(spec)
    const drawn = this.#options.media === 'plain' ? shapeOf(spec) : spec
    const key = hashOf(drawn, mark, RENDERER_VERSION)
    const name = `${key}.${extensionOf(spec)}`
    // A folder that cannot be read is reported when the file is written.
    const cached = await this.#cache.hold(name).catch(() => undefined)
    if (cached === undefined) this.#misses += 1
    else this.#hits += 1
    ended.throwIfAborted()
    const file =
      cached ?? (await this.#files.join(name, (shared) => this.#makeFile(name, drawn, mark, shared), signal))
    const { path, bytes, release } = file
    return { path, bytes, release, contentType: contentTypeOf(spec), etag: `"${key}"` }
  }

  stats() {
    const { renders, renderMs, memoryBytes, waiting, running } = this.#drawings.stats()
    const { failures } = this.#health
    const diskBytes = this.#cache.stats().bytes
    const counts = { renders, failures, hits: this.#hits, misses: this.#misses, renderMs }
    return { ...counts, diskBytes, memoryBytes, waiting, running }
  }

  /** Ends all renders, and resolves when no process is left. */
  async stop(): Promise<void> {
    const reason = new EmulatorError('The renderer was stopped.', { code: 'renderer-stopped' })
    this.#ended.abort(reason)
    await waitAtMost(STOP_MS, Promise.all([this.#files.end(reason), this.#drawings.end(reason)]))
    // What cannot be removed now is stale at the next start.
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined)
  }

  async #makeFile(name: string, spec: FileSpec, mark: Mark, signal: AbortSignal): Promise<HeldFile> {
    const bytes = withMark(await this.#drawings.draw(spec, signal), mark)
    const keep = () => this.#cache.add(name, bytes.length, (path) => writeFile(path, bytes))
    const file = await this.#health.watch('keep', spec, signal, () =>
      keep().catch(async (error) => {
        // Older files are worth less than the one that is asked for.
        if (!isDiskFull(error) || this.#cache.stats().files === 0) throw error
        await this.#cache.evictAll()
        return keep()
      }),
    )
    this.#health.made(spec)
    return file
  }
}

// Killed processes are gone at once. What sharp has begun cannot be ended, and nothing needs to wait for it.
const STOP_MS = 200
