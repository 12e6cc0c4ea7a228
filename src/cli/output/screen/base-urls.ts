import type { Operation } from '../../../core/operation.js'
import type { AnyTaskFamily } from '../../../core/task/family.js'

/** What a client of some chapters is configured with. */
export interface BaseUrl {
  /** `/provB/api/v3`: routes up to their version. */
  readonly path: string
  /** Chapters, in the order of the specification. */
  readonly sections: readonly string[]
  readonly titles: readonly string[]
}

/** The base URLs of the service, each once, with the chapters that live there. */
export const baseUrlsOf = (
  operations: readonly Operation[],
  families: readonly AnyTaskFamily[],
): BaseUrl[] => {
  const paths = unique(operations.map(({ route }) => basePathOf(route.path)))
  return paths.map((path) => {
    const here = operations.filter(({ route }) => basePathOf(route.path) === path)
    const ids = unique(here.map(({ family }) => family))
    return {
      path,
      sections: unique(here.map(({ section }) => section)).sort(),
      titles: ids.flatMap((id) => families.find((family) => family.id === id)?.title ?? []),
    }
  })
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const basePathOf = (path: string): string => /^.*?\/v\d+(?=\/)/.exec(path)?.[0] ?? path
