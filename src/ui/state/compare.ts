/** A place where two values differ. */
interface Difference {
  /** `content[0].text`; empty: the values as a whole. */
  readonly path: string
  /** As JSON, or undefined where it is not there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Differences of two JSON values, in the order of the second one, then what only the first one has. */
export const differences = (before: unknown, after: unknown, path = ''): readonly Difference[] => {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
    return names.flatMap((name) =>
      differences(
        Object.hasOwn(before, name) ? before[name] : undefined,
        Object.hasOwn(after, name) ? after[name] : undefined,
        pathTo(path, name, Array.isArray(after)),
      ),
    )
  }
  const [one, other] = [JSON.stringify(before), JSON.stringify(after)]
  return one === other ? [] : [{ path, before: one, after: other }]
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const pathTo = (path: string, name: string, isList: boolean): string => {
  if (isList) return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/** A call as far as another one is chosen to compare it with. */
interface Call {
  readonly id: string
  readonly operation: string | null
  readonly status: number
}

/**
 * Calls that a call is compared with: those of its operation, newest first.
 * @param calls newest first
 */
export const comparable = <T extends Call>(calls: readonly T[], { id, operation }: Call): readonly T[] =>
  calls.filter((call) => call.operation === operation && call.id !== id)

/** The call that says most about another one: the last one before it that went the other way, else the last one that did. */
export const counterpart = <T extends Call>(calls: readonly T[], call: Call): T | undefined => {
  const others = comparable(calls, call)
  const isOther = ({ status }: Call) => status < 400 !== call.status < 400
  const index = calls.findIndex(({ id }) => id === call.id)
  const earlier = comparable(calls.slice(index + 1), call)
  return earlier.find(isOther) ?? others.find(isOther) ?? earlier[0] ?? others[0]
}
