import { expect, test } from 'vitest'
import { createRouter } from '../../../src/ui/state/router.js'

/** A history as a browser keeps it. */
const openRouter = (url: string) => {
  const entries = [url]
  let at = 0
  let pop = () => {}
  const router = createRouter(
    {
      current: () => entries[at] as string,
      push: (next) => {
        entries.splice(at + 1, Number.POSITIVE_INFINITY, next)
        at += 1
      },
      replace: (next) => {
        entries[at] = next
      },
      onPop: (listener) => {
        pop = listener
      },
    },
    'timeline',
  )
  const back = () => {
    at -= 1
    pop()
  }
  return { router, entries, back, current: () => entries[at] }
}

test('an address without a view is the first view', () =>
  expect(openRouter('/_backlot/ui/').router.get()).toEqual({ view: 'timeline', id: '', query: {} }))

test('filters are in the address, and are kept on the way back', () => {
  const { router, current, back } = openRouter('/_backlot/ui/requests?account=a1')
  router.filter({ problems: '1', search: 'a b&c' })
  expect(current()).toBe('/_backlot/ui/requests?account=a1&problems=1&search=a+b%26c')
  router.open('r1')
  expect(router.get()).toEqual({
    view: 'requests',
    id: 'r1',
    query: { account: 'a1', problems: '1', search: 'a b&c' },
  })
  router.go({ view: 'gaps' })
  expect(current()).toBe('/_backlot/ui/gaps?account=a1')
  back()
  back()
  expect(router.get()).toEqual({
    view: 'requests',
    id: '',
    query: { account: 'a1', problems: '1', search: 'a b&c' },
  })
})

test('filters make no entries in the history, and empty ones leave the address', () => {
  const { router, entries } = openRouter('/_backlot/ui/requests')
  router.filter({ search: 'a' })
  router.filter({ search: '' })
  expect(entries).toEqual(['/_backlot/ui/requests'])
})

test.each(['a/b', 'ü ?#&', '%', '<script>', 'a..b'])(
  'the id %s stands in the address and comes back whole',
  (id) => {
    const { router, current } = openRouter('/_backlot/ui/requests')
    router.open(id)
    expect(openRouter(current() as string).router.get().id).toBe(id)
  },
)

test('an address that is no text of a URL does not end the page', () =>
  expect(openRouter('/_backlot/ui/requests/%E0%A4').router.get().id).toBe('%E0%A4'))
