import { families } from '../../src/emulator/families/index.js'
import { wireSchemas } from '../../src/emulator/openapi/document.js'
import { declarationOf } from './type-text.js'

const INTRODUCTION = '// Written by `npm run generate` from the schemas of the families. Change those.\n'

/** The text of each src/generated/wire/<family>.ts, and of index.ts, which exports them all. */
export const wireTypes = (): Record<string, string> => {
  const { requests, responses } = wireSchemas(families.map(({ api }) => api))
  const textOf = (family: Family) => {
    const declared = [
      ...Object.keys(family.api.requests).map((name) =>
        declarationOf(name, requests[name] ?? {}, { takesUndefined: true }),
      ),
      ...Object.keys(family.api.responses).map((name) =>
        declarationOf(name, responses[name] ?? {}, { takesUndefined: false }),
      ),
    ].join('\n')
    return [INTRODUCTION + importsOf(family, declared), declared].filter((part) => part !== '').join('\n')
  }
  const index = INTRODUCTION + families.map(({ id }) => `export type * from './${id}.js'\n`).join('')
  return { index, ...Object.fromEntries(families.map((family) => [family.id, textOf(family)])) }
}

type Family = (typeof families)[number]

const namesIn = ({ api }: Family): string[] => [...Object.keys(api.requests), ...Object.keys(api.responses)]

const importsOf = (family: Family, text: string): string =>
  families
    .filter((other) => other !== family)
    .flatMap((other) => {
      const used = namesIn(other).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
      return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './${other.id}.js'\n`]
    })
    .join('')
