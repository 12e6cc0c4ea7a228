import { namedSchemas, type Schemas } from '../../src/core/json-schema.js'
import { publishedSchemas } from '../../src/openapi/service.js'
import { declarationOf } from './type-text.js'

const INTRODUCTION = '// Written by `npm run generate` from the schemas of the families. Change those.\n'

type Folder = string
const folders = Object.keys(publishedSchemas)
const schemasOf = (folder: Folder) => publishedSchemas[folder] ?? { requests: {}, answers: {} }

const every = (side: 'requests' | 'answers', io: Parameters<typeof namedSchemas>[1]): Schemas =>
  namedSchemas(Object.assign({}, ...folders.map((folder) => schemasOf(folder)[side])), io)

/** The text of each src/generated/wire/<folder>.ts. */
export const wireTypes = (): Record<Folder, string> => {
  const [requests, answers] = [every('requests', 'input'), every('answers', 'output')]
  const textOf = (folder: Folder) => {
    const declared = [
      ...Object.keys(schemasOf(folder).requests).map((name) =>
        declarationOf(name, requests[name] ?? {}, { takesUndefined: true }),
      ),
      ...Object.keys(schemasOf(folder).answers).map((name) =>
        declarationOf(name, answers[name] ?? {}, { takesUndefined: false }),
      ),
    ].join('\n')
    return [INTRODUCTION + importsOf(folder, declared), declared].filter((part) => part !== '').join('\n')
  }
  return Object.fromEntries(folders.map((folder) => [folder, textOf(folder)])) as Record<Folder, string>
}

const namesIn = (folder: Folder): string[] =>
  Object.values(schemasOf(folder)).flatMap((schemas) => Object.keys(schemas))

const importsOf = (folder: Folder, text: string): string =>
  folders
    .filter((other) => other !== folder)
    .flatMap((other) => {
      const used = namesIn(other).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
      return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './${other}.js'\n`]
    })
    .join('')
