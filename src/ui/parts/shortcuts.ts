import { useLayoutEffect, useRef } from 'preact/hooks'
import { keys } from '../app.js'
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
