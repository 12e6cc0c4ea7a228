/**
 * Keyboard shortcut: a key as `KeyboardEvent.key` names it, or `g` and a letter after it: `g t`. Other words, such as `Ctrl Space`, are
 * only listed: the field that they are for reads them itself.
 */
export interface Shortcut {
  readonly keys: string
  /** What it does, for the list of shortcuts. */
  readonly label: string
  /** Returns false where it does not apply now: an older shortcut of the same key is tried then. */
  readonly run: () => unknown
}

/** What of a keyboard event the dispatcher reads. */
type KeyPress = Readonly<{ key: string } & Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>>

/** Keyboard dispatcher, for keys that go into no text field. */
export const createKeys = () => {
  let shortcuts: readonly Shortcut[] = []
  let prefix = ''

  return {
    /** Adds shortcuts, which come before those that are there. @returns a function that removes them */
    add: (added: readonly Shortcut[]) => {
      shortcuts = [...added, ...shortcuts]
      return () => {
        shortcuts = shortcuts.filter((shortcut) => !added.includes(shortcut))
      }
    },
    /** @returns whether a shortcut has acted */
    press: ({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean => {
      if (ctrlKey || metaKey || altKey) return false
      const keys = prefix + key
      if (prefix === '' && shortcuts.some((shortcut) => shortcut.keys.startsWith(`${key} `))) {
        prefix = `${key} `
        return true
      }
      prefix = ''
      return shortcuts.some((shortcut) => shortcut.keys === keys && shortcut.run() !== false)
    },
    /** Every shortcut, the newest first; of several for one key the one that acts. */
    list: (): readonly Shortcut[] =>
      shortcuts.filter(
        (shortcut, index) => shortcuts.findIndex(({ keys }) => keys === shortcut.keys) === index,
      ),
  }
}
