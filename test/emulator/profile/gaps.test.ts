import { expect, test } from 'vitest'
import { builtIn } from '../../../src/emulator/families/index.js'
import { changeOfGap, knownGaps } from '../../../src/emulator/profile/gaps.js'
import { profileKeys } from '../../../src/emulator/profile/schema.js'
import { startOnPort } from '../../emulator.js'

test('each gap is changed by a key of a profile, or says why by none, and no row is left over', () => {
  expect([...knownGaps].sort()).toEqual(builtIn.gaps.map(({ id }) => id).sort())
  for (const gap of builtIn.gaps) {
    const change = changeOfGap(gap)
    if (typeof change === 'string') expect(change).toMatch(/^[A-Z].{10,}\.$/)
    else expect(profileKeys).toEqual(expect.arrayContaining([...change]))
  }
})

test('most gaps can be changed', () => {
  const changed = builtIn.gaps.filter(
    ({ settings = [], ...gap }) => settings.length > 0 || typeof changeOfGap(gap) !== 'string',
  )
  expect(changed.length).toBeGreaterThan(builtIn.gaps.length * 0.65)
})

test('the control API shows how', async () => {
  const { get } = await startOnPort()
  const { items } = (await get('/_backlot/gaps')).body
  expect(items.find(({ id }: { id: string }) => id === 'D4')).toMatchObject({
    profile: ['answers'],
    unchangeable: null,
  })
  expect(items.find(({ id }: { id: string }) => id === 'C2')).toMatchObject({
    profile: [],
    unchangeable: expect.stringMatching(/^Clients take ids/),
  })
  expect(items.find(({ id }: { id: string }) => id === 'Z2')).toMatchObject({
    profile: [],
    unchangeable: null,
  })
})
