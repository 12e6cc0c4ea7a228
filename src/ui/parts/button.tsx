import type { ComponentChildren } from 'preact'
import { attempt } from '../app.js'

interface ButtonProps {
  /** What it does; its error is shown at the foot of the page. */
  readonly act: () => unknown
  readonly children: ComponentChildren
  /** What it is called where its text is a sign. */
  readonly label?: string
  readonly title?: string
  readonly class?: string
  readonly disabled?: boolean
}

/** Button that does something on this page, or by the control API. */
export const Button = ({ act, children, label, ...rest }: ButtonProps) => (
  <button type="button" aria-label={label} onClick={() => attempt(async () => act())} {...rest}>
    {children}
  </button>
)
