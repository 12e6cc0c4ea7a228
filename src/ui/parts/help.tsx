import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { keys } from '../app.js'

/** Whether the list of shortcuts is shown. */
export const isHelpOpen = signal(false)

export const openHelp = () => (isHelpOpen.value = true)

/** List of the keyboard shortcuts that act now. */
export const Help = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label="Keyboard shortcuts" onClose={() => (isHelpOpen.value = false)}>
      <h2>Keyboard</h2>
      <dl class="shortcuts">
        {keys.list().map(({ keys: names, label }) => (
          <div key={names}>
            <dt>
              <kbd>{shortNames[names] ?? names}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">None of them acts while you type. Escape leaves a text field, and closes this list.</p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

const shortNames: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}
