import type { Operation } from '../../../core/operation.js'

/** A chapter of the specification, as its folder describes it. */
export interface Chapter {
  readonly id: string
  readonly section: string
  readonly title: string
}

/** What a client of some chapters is configured with. */
export interface BaseUrl {
  /** `/provB/api/v3`: routes up to their version. */
  readonly path: string
  /** In the order of the specification. */
  readonly chapters: readonly Chapter[]
}

/** The base URLs of the service, each once, with the chapters that live there. */
export const baseUrlsOf = (operations: readonly Operation[], chapters: readonly Chapter[]): BaseUrl[] => {
  const inOrder = chapters.toSorted((a, b) => (a.section < b.section ? -1 : 1))
  const paths = new Set(operations.map(({ route }) => basePathOf(route.path)))
  return [...paths].map((path) => {
    const here = operations.filter(({ route }) => basePathOf(route.path) === path)
    return { path, chapters: inOrder.filter(({ id }) => here.some(({ family }) => family === id)) }
  })
}

const basePathOf = (path: string): string => /^.*?\/v\d+(?=\/)/.exec(path)?.[0] ?? path
