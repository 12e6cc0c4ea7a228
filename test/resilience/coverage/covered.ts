import { expect } from 'vitest'
import { createHandles } from '../../../src/emulator/client/handles.js'
import { localTransport } from '../../../src/emulator/client/local-transport.js'
import type { Answered } from '../../../src/emulator/core/journal/entry.js'
import { createObserver } from '../../../src/resilience/coverage/observe.js'
import { type Hits, isHit } from '../../../src/resilience/coverage/spec.js'
import { clientOf, startOnPort } from '../../emulator.js'

export const TASKS = '/provB/api/v3/contents/generations/tasks'
export const SECOND = '/provC/v2/video_generation'
export const text = { type: 'text', text: 'A lighthouse' }
export const order = { model: 'videoa-2-0-260128', content: [text], resolution: '480p', duration: 4 }
export const second = { model: 'gamma-H3', content: [text], duration: 4 }

/** An emulator whose clock each query moves, and what some calls of it cover. */
export const startCovered = async () => {
  const { emulator, url } = await startOnPort({ clock: 'on-poll' })

  /** What some calls of an account of their own cover. `broken`: how the connections of all of them ended instead. */
  const covered = async (
    calls: (client: Client) => Promise<unknown>,
    broken?: Answered['broken'],
  ): Promise<Hits> => {
    const key = `covered-${expect.getState().currentTestName}`.replace(/[^\w]+/g, '-')
    const handles = createHandles(key, localTransport(emulator, key), url)
    const ask: Client['ask'] = async (...call) => (await clientOf(url, key).ask(...call)).body
    await calls({ ...handles, ask, hook: `${url}/_backlot/inbox/hook` })
    const callbacks = await emulator.store.read(key, (account) => [...account.callbacks.log.values()])
    const observer = createObserver()
    for (const entry of emulator.journals.journalOf(key).list().reverse())
      observer.call(broken === undefined ? entry : { ...entry, answered: { ...entry.answered, broken } })
    callbacks.forEach(observer.callback)
    return observer.hits
  }

  return { emulator, url, covered }
}

export interface Client extends ReturnType<typeof createHandles> {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
  ask(method: string, path: string, body?: unknown): Promise<any>
  readonly hook: string
}

/** Covered items of a kind. */
export const items = (hits: Hits, kind: keyof Hits): string[] =>
  Object.keys(hits[kind]).filter((item) => isHit(hits, kind, item))
