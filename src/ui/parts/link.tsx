import type { ComponentChildren } from 'preact'
import { route, router } from '../app.js'
import type { RouteChange } from '../state/router.js'

interface LinkProps {
  readonly to: RouteChange
  readonly isCurrent?: boolean
  readonly title?: string
  readonly class?: string
  /** Accessible name, where the text is a symbol. */
  readonly 'aria-label'?: string
  readonly tabIndex?: number
  readonly onPointerEnter?: () => void
  readonly onPointerLeave?: () => void
  readonly children: ComponentChildren
}

/** Link within the page, which does not load it anew. */
export const Link = ({ to, isCurrent, ...rest }: LinkProps) => {
  // The address depends on the account in the current route.
  void route.value
  const current = to.id === undefined ? 'page' : 'true'
  return (
    <a
      href={router.href(to)}
      aria-current={isCurrent ? current : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        router.go(to)
      }}
      {...rest}
    />
  )
}
