import type { ComponentChildren } from 'preact'
import { runAction } from '../app.js'

interface ButtonProps {
  /** May return a promise; its error is shown at the foot of the page. */
  readonly onClick: () => unknown
  readonly children: ComponentChildren
  /** Accessible name, where the text is a symbol. */
  readonly label?: string
  readonly title?: string
  readonly class?: string
  readonly disabled?: boolean
}

/** Button that does something on this page, or by the control API. */
export const Button = ({ onClick, children, label, ...rest }: ButtonProps) => (
  <button type="button" aria-label={label} onClick={() => runAction(async () => onClick())} {...rest}>
    {children}
  </button>
)
