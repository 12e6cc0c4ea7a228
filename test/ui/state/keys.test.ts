import { expect, test } from 'vitest'
import { createKeys } from '../../../src/ui/state/keys.js'

const openKeys = () => {
  const keys = createKeys()
  const done: string[] = []
  const shortcut = (names: string, label = names) => ({
    keys: names,
    label,
    run: () => void done.push(label),
  })
  const press = (key: string, more = {}) =>
    keys.press({ key, ctrlKey: false, metaKey: false, altKey: false, ...more })
  return { keys, done, shortcut, press }
}

test('a letter after g is a shortcut of its own', () => {
  const { keys, done, shortcut, press } = openKeys()
  keys.add([shortcut('t'), shortcut('g t')])
  press('g')
  press('t')
  press('t')
  expect(done).toEqual(['g t', 't'])
})

test('no key with a modifier acts', () => {
  const { keys, done, shortcut, press } = openKeys()
  keys.add([shortcut('j')])
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    expect(press('j', { [modifier]: true })).toBe(false)
  expect(done).toEqual([])
})

test('the newest shortcut of a key goes first, and hands on what is not for it', () => {
  const { keys, done, shortcut, press } = openKeys()
  keys.add([shortcut('Escape', 'frame')])
  let isOpen = true
  const remove = keys.add([{ keys: 'Escape', label: 'detail', run: () => isOpen && done.push('detail') > 0 }])
  press('Escape')
  isOpen = false
  press('Escape')
  remove()
  press('Escape')
  expect(done).toEqual(['detail', 'frame', 'frame'])
})

test('the list names each key once', () => {
  const { keys, shortcut } = openKeys()
  keys.add([shortcut('j', 'old')])
  keys.add([shortcut('j', 'new'), shortcut('k')])
  expect(keys.list().map(({ keys: names, label }) => [names, label])).toEqual([
    ['j', 'new'],
    ['k', 'k'],
  ])
})
