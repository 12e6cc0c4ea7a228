import type { ComponentChildren } from 'preact'
import { runAction } from '../app.js'

interface ButtonProps {
  /** May return a promise; its error is shown at the foot of the page. */
  readonly onClick: () => unknown
  readonly children: ComponentChildren
  /** Accessible name, where the text is a symbol. */
  readonly 'aria-label'?: string
  readonly title?: string
  readonly class?: string
  /** Whether it does nothing now. It keeps the focus, which a button with `disabled` loses. */
  readonly isDisabled?: boolean
  /** Whether it is the chosen one of several. */
  readonly isPressed?: boolean
}

/** Button that does something on this page, or by the control API. */
export const Button = ({ onClick, isDisabled, isPressed, ...rest }: ButtonProps) => (
  <button
    type="button"
    aria-disabled={isDisabled}
    aria-pressed={isPressed}
    onClick={() => isDisabled || runAction(async () => onClick())}
    {...rest}
  />
)
