import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodeOf } from '../../src/command/command.js'
import { EmulatorError } from '../../src/emulator/core/errors.js'
import { families } from '../../src/emulator/families/index.js'
import type { EmulatorErrorCode } from '../../src/generated/names.js'
import { apiDoc } from './api-doc.js'
import { errorCodes } from './error-codes.js'

const INTRODUCTION = `# Index of errors

<!-- Written by npm run generate from the tables of errors of the families and from the sources. -->

Two kinds of errors have names. Those of the service are answers to its clients; the page of each family says when it gives them, and
[recipes.md](recipes.md) how a test makes them happen. Those of Backlot say what is wrong with the emulator or its set-up.
`

/** The text of docs/errors.md. */
export const errorsDoc = (): string => [INTRODUCTION, serviceErrors(), statuses(), ownErrors()].join('\n')

interface ServiceError {
  readonly name: string
  readonly status: number
  readonly message: string
  /** Ids of the families that have it with this status. */
  readonly families: readonly string[]
}

/** Errors of all families; one that several have alike is there once. */
const serviceErrorsInOrder = (): readonly ServiceError[] => {
  const found = new Map<string, ServiceError>()
  for (const { id, errors } of families)
    for (const [name, { status, message }] of Object.entries(errors)) {
      const key = `${name.toLowerCase()} ${status}`
      const known = found.get(key)
      found.set(key, { name, status, message, ...known, families: [...(known?.families ?? []), id] })
    }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, error]) => error)
}

const familyLink = (id: string): string => `[${id}](families/${id}.md#errors)`

const serviceErrors = (): string => {
  const rows = serviceErrorsInOrder().map(
    ({ name, status, message, families: ids }) =>
      `| \`${name}\` | ${status} | ${ids.map(familyLink).join(', ')} | ${message} |`,
  )
  return `## Errors of the service

The status is that of a refused call; an error of a task stands in the task, which is read with 200. Messages are those of the first
family; some have a part that the call fills in.

| Name | Status | Families | Message |
|---|---|---|---|
${rows.join('\n')}
`
}

const statuses = (): string => {
  const errors = serviceErrorsInOrder()
  const inOrder = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b)
  const rows = inOrder.map((status) => {
    const names = errors.filter((error) => error.status === status).map(({ name }) => `\`${name}\``)
    return `| ${status} | ${[...new Set(names)].join(', ')} |`
  })
  return `## Statuses of the service

| Status | Errors |
|---|---|
${rows.join('\n')}
`
}

/** Status with which the control API sends each code, as the sources have it. */
const controlStatuses = (): ReadonlyMap<string, number> => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const found = files.flatMap((file) => [
    ...readFileSync(join('src', file), 'utf8').matchAll(/new ControlError\(\s*(\d{3}),\s*'([\w-]+)'/g),
  ])
  return new Map(found.map(([, status, code = '']) => [code, Number(status)]))
}

const ownErrors = (): string => {
  const statusOf = controlStatuses()
  const rows = errorCodes().map((code) => {
    const exit = exitCodeOf(new EmulatorError('', { code: code as EmulatorErrorCode }))
    return `| \`${code}\` | ${statusOf.get(code) ?? ''} | ${exit} | ${pagesWith(code)} |`
  })
  return `## Errors of Backlot

An \`EmulatorError\` has a \`code\`, a sentence and mostly a hint that says what to do. The control API sends the code as \`error.code\` with
the status of the second column; none means that only the package or the command line has it. A command that ends with it has the exit
code of the third.

| Code | Status | Exit code | Where |
|---|---|---|---|
${rows.join('\n')}
`
}

/** Links to the handles that reject with a code, and to the pages that name it, at most three of each. */
const pagesWith = (code: string): string => {
  const named = pages().filter(({ text }) => text.includes(`\`${code}\``))
  const handles = handlesWith(code).map((call) => `[\`${call}\`](api.md#${anchorOf(call)})`)
  const others = named.filter(({ name }) => name !== 'api.md').map(({ name }) => `[${name}](${name})`)
  return [...handles.slice(0, 3), ...others.slice(0, 3)].join(', ')
}

/** Headings of docs/api.md whose errors name a code: `emulator.tasks.get()`. */
const handlesWith = (code: string): string[] => {
  const sections = apiDoc()
    .split(/^#{3,4} /m)
    .slice(1)
  const rejecting = sections.filter((section) =>
    /^Errors: [\s\S]*?\.$/m.exec(section)?.[0].includes(`\`${code}\``),
  )
  return [...new Set(rejecting.map((section) => section.split('\n', 1)[0] ?? ''))]
}

const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^\w-]/g, '')

let read: readonly { readonly name: string; readonly text: string }[] | undefined

const pages = () => {
  read ??= readdirSync('docs')
    .filter((name) => name.endsWith('.md') && name !== 'errors.md')
    .map((name) => ({ name, text: readFileSync(join('docs', name), 'utf8') }))
  return read
}
