import { useEffect, useRef } from 'preact/hooks'
import { keys } from '../app.js'
import type { Shortcut } from '../state/keys.js'

/** Adds shortcuts for as long as a component is on the page. They always call the latest functions. */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(
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

interface ListShortcuts<T> {
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  readonly selected: string
  readonly select: (id: string) => void
  readonly open: (id: string) => void
  /** @returns false where nothing is open */
  readonly close: () => unknown
}

/** Keyboard of a list: j and k move the selection, Enter opens it, Escape goes back. */
export const useListShortcuts = <T>({
  items,
  idOf,
  selected,
  select,
  open,
  close,
}: ListShortcuts<T>): void => {
  const move = (by: number) => {
    const index = items.findIndex((item) => idOf(item) === selected)
    const next = items[Math.min(items.length - 1, Math.max(0, index < 0 ? 0 : index + by))]
    if (next !== undefined) select(idOf(next))
  }
  useShortcuts([
    { keys: 'j', label: 'next row', run: () => move(1) },
    { keys: 'k', label: 'previous row', run: () => move(-1) },
    {
      keys: 'Enter',
      label: 'open the row',
      // A focused button or link has its own meaning of Enter.
      run: () => {
        const focused = document.activeElement
        if (selected === '' || focused?.matches('a, button, summary, select')) return false
        open(selected)
      },
    },
    { keys: 'Escape', label: 'back', run: close },
  ])
}
