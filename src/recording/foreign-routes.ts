import { isRecord } from '../emulator/surface/journal.js'
import type { Settings } from '../emulator/surface/starting.js'

/** Recorded settings in which no route of a profile asks a host or reads a file, and the operations that did. */
interface OwnRoutes {
  readonly settings: Settings
  /** Ids of these operations: `routes.models`. Their answers cannot be compared. */
  readonly foreign: readonly string[]
}

/**
 * Has the routes of a recorded profile whose answers come from elsewhere answer nothing: a replay asks no host that a recording
 * names, and reads no file.
 */
export const withoutForeignRoutes = (settings: Settings): OwnRoutes => {
  const foreign: string[] = []
  const profile = settings.profile.map((document) => {
    if (!isRecord(document) || !Array.isArray(document.routes)) return document
    const routes = document.routes.map((route: unknown) => {
      if (!isRecord(route) || !isForeign(route)) return route
      foreign.push(`routes.${String(route.id)}`)
      const { forward: _, timeout: __, ...own } = route
      return { ...own, answer: { text: '' } }
    })
    return { ...document, routes }
  })
  return { settings: { ...settings, profile }, foreign }
}

const isForeign = ({ forward, answer }: Readonly<Record<string, unknown>>): boolean =>
  forward !== undefined || (isRecord(answer) && answer.file !== undefined)
