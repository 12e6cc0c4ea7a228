import type { ComponentChildren } from 'preact'
import { place, router } from '../app.js'
import type { PlaceChange } from '../state/router.js'

interface LinkProps {
  readonly to: PlaceChange
  readonly isCurrent?: boolean
  readonly title?: string
  readonly class?: string
  /** What it is called where its text is a sign. */
  readonly label?: string
  readonly tabIndex?: number
  readonly style?: Readonly<Record<string, string>>
  readonly children: ComponentChildren
}

/** Link to another place of the page, which does not load the page anew. */
export const Link = ({ to, isCurrent, title, class: name, label, tabIndex, style, children }: LinkProps) => {
  // The address depends on the account in the current place.
  void place.value
  return (
    <a
      href={router.href(to)}
      class={name}
      aria-current={isCurrent ? 'page' : undefined}
      title={title}
      aria-label={label}
      tabIndex={tabIndex}
      style={style}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        router.go(to)
      }}
    >
      {children}
    </a>
  )
}
