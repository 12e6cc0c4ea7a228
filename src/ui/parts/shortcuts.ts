import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { keys, route, router } from '../app.js'
import type { Shortcut } from '../state/keys.js'

/**
 * Adds shortcuts for as long as a component is on the page, before it is painted: the next key may come at once. They
 * always call the latest functions.
 */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useLayoutEffect(
    () =>
      keys.add(
        shortcuts.map(({ keys: names, label }, index) => ({
          keys: names,
          label,
          run: () => latest.current[index]?.run(),
        })),
      ),
    [],
  )
}

/** Takes the focus off a control that was clicked, which Enter would press again. */
export const leaveControl = (): void => (document.activeElement as HTMLElement | null)?.blur()

const isOnRow = (): boolean => document.activeElement?.matches('.list-row a') === true

interface ListShortcuts<T> {
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  /** The id of the row that the keyboard is at, where none is open. */
  readonly cursor: Signal<string>
  /** Opens a row; default: in its view. */
  readonly open?: (id: string) => void
}

/**
 * Keyboard of a list: j and k move the selection, Enter opens it, Escape goes back. While a row is open, j and k open the
 * next and the previous one.
 * @returns the id of the selected row; empty: none
 */
export const useListShortcuts = <T>({ items, idOf, cursor, open = router.open }: ListShortcuts<T>) => {
  const openId = route.value.id
  const selected = openId === '' ? cursor.value : openId
  useEffect(() => {
    if (openId !== '') cursor.value = openId
  }, [openId])
  const move = (by: number) => {
    const index = items.findIndex((item) => idOf(item) === selected)
    const next = items[Math.min(items.length - 1, Math.max(0, index < 0 ? 0 : index + by))]
    if (next === undefined) return
    if (!isOnRow()) leaveControl()
    cursor.value = idOf(next)
    if (openId !== '') router.replace(idOf(next))
  }
  const openSelected = () => {
    // A focused button or link has its own meaning of Enter.
    if (selected === '' || document.activeElement?.matches('a, button, summary, select')) return false
    open(selected)
  }
  const close = () => openId !== '' && router.open('')
  useShortcuts([
    { keys: 'j', label: 'next row', run: () => move(1) },
    { keys: 'k', label: 'previous row', run: () => move(-1) },
    { keys: 'ArrowDown', label: 'on a row: the next one', run: () => isOnRow() && move(1) },
    { keys: 'ArrowUp', label: 'on a row: the previous one', run: () => isOnRow() && move(-1) },
    { keys: 'Enter', label: 'open the row', run: openSelected },
    { keys: 'Escape', label: 'back', run: close },
  ])
  return selected
}
