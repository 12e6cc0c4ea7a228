import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { runAction } from '../app.js'
import { Button } from './button.js'

interface ConfirmProps {
  /** Of the question, unlike any other on the page. */
  readonly id: string
  /** Text of the button that acts; the one that asks has an ellipsis. */
  readonly action: string
  readonly short?: string
  /** What the user may want to do before, which leaves the question open. Default: nothing. */
  readonly first?: { readonly label: string; readonly run: () => Promise<unknown> }
  /** What will be lost. */
  readonly children: ComponentChildren
  readonly onConfirm: () => Promise<unknown>
}

/** Button of what cannot be undone: it asks first, in a dialog that begins with the harmless answer. */
export const Confirm = ({ id, action, short = action, first, children, onConfirm }: ConfirmProps) => {
  const question = useRef<HTMLDialogElement>(null)
  return (
    <>
      <Button onClick={() => question.current?.showModal()}>{short}…</Button>
      <dialog ref={question} role="alertdialog" aria-label={action} aria-describedby={id}>
        <p id={id}>{children}</p>
        <form method="dialog" class="buttons">
          <button type="submit">Keep it</button>
          {first !== undefined && <Button onClick={first.run}>{first.label}</Button>}
          <button type="submit" class="danger" onClick={() => runAction(onConfirm)}>
            {action}
          </button>
        </form>
      </dialog>
    </>
  )
}
