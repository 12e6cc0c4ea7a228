import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/control/action.js'
import { actions } from '../../src/control/actions/index.js'
import { waitInput } from '../../src/control/wait.js'

const page = readFileSync('docs/control-api.md', 'utf8')

/** The left cells of the rows that show a request: what stands right of them are answers. */
const cellsOf = (request: string): string =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|') && new RegExp(`\`${request}[\`?]`).test(line))
    .map((line) => line.split(' | ')[0])
    .join('\n')

const fieldsOf = ({ input, route }: AnyAction): string[] => {
  const names = 'shape' in input ? Object.keys(input.shape) : []
  return names.filter((name) => !route.path.includes(`:${name}`))
}

const cases = Object.entries<AnyAction>(actions).map(([name, one]): [string, string, AnyAction] => [
  name,
  `${one.route.method} /_backlot${one.route.path.replace(/:(\w+)/g, '{$1}')}`,
  one,
])

test.each(cases)('docs/control-api.md has every field of %s (%s)', (_, request, one) => {
  const cells = cellsOf(request)
  expect(cells).not.toBe('')
  const missing = fieldsOf(one).filter((field) => !new RegExp(`"${field}"|[?&]${field}\\b`).test(cells))
  expect(missing).toEqual([])
})

const waits = waitInput.options.map(({ shape }): [string, string[]] => [
  shape.for.value,
  Object.keys(shape).filter((name) => name !== 'for'),
])

// The filters of requests stand beside the list of them.
test.each(waits)('docs/control-api.md says how to wait for=%s', (what, fields) => {
  const request = page.match(new RegExp(`GET /_backlot/wait\\?for=${what}[^\`]*`))?.[0] ?? ''
  const known = what === 'request' ? ['operation', 'count', 'timeout'] : fields
  expect(known.filter((field) => !new RegExp(`[?&]${field}=`).test(request))).toEqual([])
})
