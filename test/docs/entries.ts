import { readFileSync } from 'node:fs'

/** A name under which the package can be imported, and the source behind it. */
export interface Entry {
  readonly name: string
  readonly source: string
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Readonly<Record<string, { readonly import: { readonly default: string } } | string>>
}

/** `vitest-global-setup` to `src/testing/vitest/global-setup.ts`, as the build has them. */
const sources: ReadonlyMap<string, string> = new Map(
  [...readFileSync('tsdown.config.ts', 'utf8').matchAll(/^\s*'?([\w-]+)'?: '(src\/.+\.ts)',$/gm)].map(
    ([, name = '', source = '']) => [name, source],
  ),
)

const sourceOf = (built: string): string => {
  const source = sources.get(built.replace(/^\.\/dist\/|\.js$/g, ''))
  if (source === undefined) throw new Error(`tsdown.config.ts has no entry for ${built}.`)
  return source
}

/** Every entry of the package that is code. */
export const entries: readonly Entry[] = Object.entries(exports).flatMap(([path, targets]) =>
  typeof targets === 'string'
    ? []
    : [{ name: path.replace(/^\./, 'backlot'), source: sourceOf(targets.import.default) }],
)
