import type { EmulatorDependencies } from '../../../src/emulator/composition/dependencies.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { readGiven } from '../../../src/emulator/scenarios/library.js'
import type { SettingsInput } from '../../../src/emulator/settings.js'
import type { SetTimer } from '../../../src/emulator/timers.js'
import { type Answer, bodies, KEY, paths, startOnPort } from '../../emulator.js'

export type { Answer }

export type Playing = Awaited<ReturnType<typeof startPlaying>>

/** An emulator on a port that plays a scenario for every account. */
export const startPlaying = async (
  scenario: string | object | readonly (string | object)[],
  settings: SettingsInput = {},
  dependencies: EmulatorDependencies = {},
) => {
  const waited: number[] = []
  const setTimer: SetTimer = (ring, ms) => {
    waited.push(ms)
    const timer = setImmediate(ring)
    return () => clearImmediate(timer)
  }
  const scenarios = await readGiven(Array.isArray(scenario) ? scenario : [scenario], builtIn)
  const started = await startOnPort(
    { clock: 'on-poll', ...settings },
    { setTimer, scenarios, ...dependencies },
  )
  const { url, handles, as, stop } = started
  const { ask, upload } = as(KEY)
  /** Asks until a task of a family has ended; every answer, the last one last. */
  const poll = async (family: VideoFamily, id: string, most = 20): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (let left = most; left > 0; left -= 1) {
      const answer = await ask('GET', family.query(id))
      answers.push(answer)
      if (['succeeded', 'failed', 'cancelled', 'expired'].includes(answer.body?.status)) break
    }
    return answers
  }
  return {
    url,
    /** The handles of the account that calls are made as. */
    account: handles.account(KEY),
    /** Milliseconds that scenarios had something wait for, in order; none of them passes in real time. */
    waited,
    as,
    stop,
    ask,
    upload,
    poll,
  }
}

/** How a video is asked for in one of the families. */
export interface VideoFamily {
  readonly id: string
  readonly create: string
  body(change?: object): object
  query(id: string): string
  idOf(answer: Answer): string
  /** The URL of the result in an answer to a query; undefined where there is none. */
  resultOf(answer: Answer): string | undefined
}

export const b: VideoFamily = {
  id: 'b-video-task',
  create: paths.tasks,
  body: (change) => bodies.task({ resolution: '480p', duration: 4, ...change }),
  query: (id) => `${paths.tasks}/${id}`,
  idOf: ({ body }) => body.id,
  resultOf: ({ body }) => body.content?.video_url,
}

export const c: VideoFamily = {
  id: 'c-video',
  create: paths.videos,
  body: (change) => ({
    model: 'videoa-2-0-260128',
    media: bodies.task().content,
    size: '480p',
    seconds: '4',
    ...change,
  }),
  query: (id) => `${paths.videos}/${id}`,
  idOf: ({ body }) => body.task_id,
  resultOf: ({ body }) => body.content?.video_url,
}

export const e: VideoFamily = {
  ...c,
  id: 'e-video-reference',
  body: (change) => ({
    model: 'beta2.7-r2v',
    subject_reference: [{ type: 'character', image: ['https://pictures.test/a.png'] }],
    prompt: 'A character walks',
    ...change,
  }),
}

export const f: VideoFamily = {
  id: 'f-video-v2',
  create: paths.second,
  body: (change) => bodies.second({ duration: 4, ...change }),
  query: (id) => `${paths.secondQuery}/${id}`,
  idOf: ({ body }) => body.task_id,
  resultOf: ({ body }) => body.content?.url,
}

export const videoFamilies: readonly VideoFamily[] = [b, c, e, f]

/** Creates a task and gives its id. */
export const create = async (playing: Playing, family: VideoFamily, change?: object): Promise<string> =>
  family.idOf(await playing.ask('POST', family.create, family.body(change)))

export const IMAGES = paths.image

export const image = (model = 'alpha-image-3.0-pro') => ({ ...bodies.image(), model })
