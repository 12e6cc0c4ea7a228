import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { screen } from '../../../src/cli/output/screen/screen.js'
import { change, request } from './happened.js'

test('what a call brings about at once is listed below the call', async () => {
  const lines: string[] = []
  const { events } = screen(
    (line) => lines.push(line),
    (_, text) => text,
  )
  events?.happening?.(change('running'))
  events?.happening?.(change('succeeded'))
  events?.request?.(request({ task: 'cgt-1' }))
  await nextTurn()
  expect(lines.map((line) => line.split('  ').slice(1, 3))).toEqual([
    ['POST /v1/videos', '200'],
    ['task cgt-1', 'running'],
    ['task cgt-1', 'succeeded'],
  ])
})
