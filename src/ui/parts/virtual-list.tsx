import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { route } from '../app.js'

export interface VirtualListProps<T extends { readonly id: string }> {
  readonly items: readonly T[]
  /** In pixels, the same for every row. */
  readonly rowHeight: number
  /** How many items stand beside each other in a row; default: 1. */
  readonly columns?: number
  readonly row: (item: T, link: RowLink) => ComponentChildren
  readonly label: string
  /** The id of the row to scroll to when it changes. */
  readonly selected: string
  /** Of the rows, in pixels; default: as wide as the list. */
  readonly width?: number
  /** Whether an item is a heading between rows, which has no link; default: none is. */
  readonly isHeading?: (item: T) => boolean
  /** Stays at the top. */
  readonly header?: ComponentChildren
  /** Drawn over the rows. */
  readonly overlay?: ComponentChildren
  /** Gets the scrolling element. */
  readonly scroller?: { current: HTMLElement | null }
  /** Called before the list is painted, and whenever it was resized or scrolled. */
  readonly onViewport?: (viewport: Viewport) => void
  /** Called when fewer rows than fill the list twice are left below what is in sight. */
  readonly onNearEnd?: () => void
}

/** Properties of the link of a row. The Tab key stops at one row, so that what is open comes next; j and k reach the others. */
export interface RowLink {
  readonly isCurrent: boolean
  readonly tabIndex: number
}

/** The part of the rows that is in sight, in pixels. */
export interface Viewport {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Rows drawn beyond both edges, for quick scrolling. */
const OVERSCAN = 6

/**
 * Virtual list: draws only the rows in sight. Rows that are added at the top move nothing that is being read: the list
 * follows them only where it stands at its top.
 */
export const VirtualList = <T extends { readonly id: string }>(props: VirtualListProps<T>) => {
  const { items, rowHeight, row, label, selected, width, header, overlay, onViewport, onNearEnd } = props
  const { columns = 1, isHeading = () => false } = props
  const height = Math.ceil(items.length / columns) * rowHeight
  const ownScroller = useRef<HTMLElement | null>(null)
  const scroller = props.scroller ?? ownScroller
  const [visible, setVisible] = useState({ top: 0, height: 800 })
  const { top } = visible
  const drawnItems = useRef(items)
  const scrolledTo = useRef<string | undefined>('')

  // Called where the layout is known already: an effect would make the browser lay the page out once more.
  const measure = (): void => {
    const element = scroller.current
    if (element === null) return
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = element
    setVisible({ top: scrollTop, height: clientHeight })
    onViewport?.({
      left: scrollLeft,
      right: scrollLeft + clientWidth,
      top: scrollTop,
      bottom: scrollTop + clientHeight,
    })
    if (scrollTop + 3 * clientHeight > element.scrollHeight) onNearEnd?.()
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current as HTMLElement)
    return () => observer.disconnect()
  }, [])

  // Keeps the row at the top where it is when rows are added above it.
  useLayoutEffect(() => {
    const element = scroller.current
    const topIndex = Math.floor(top / rowHeight) * columns
    const topItem = top > 0 ? drawnItems.current[topIndex] : undefined
    const index = items.findIndex(({ id }) => id === topItem?.id)
    if (element !== null && index >= 0 && index !== topIndex) {
      element.scrollTop += (Math.floor(index / columns) - topIndex / columns) * rowHeight
      measure()
    }
    drawnItems.current = items
  }, [items])

  // Scrolls to each selected row once, as soon as it is in the list.
  useEffect(() => {
    const element = scroller.current
    if (element === null || selected === scrolledTo.current) return
    const index = items.findIndex(({ id }) => id === selected)
    if (index < 0) return
    scrolledTo.current = selected
    const rowTop = Math.floor(index / columns) * rowHeight
    const headerHeight = element.scrollHeight - height
    const lowestTop = rowTop - (element.clientHeight - headerHeight - rowHeight)
    element.scrollTop = Math.min(rowTop, Math.max(lowestTop, element.scrollTop))
  }, [selected, items, columns])

  // The focus follows the selected row, also back from its detail, before the next key, unless it is elsewhere.
  const position = `${route.value.id} ${selected}`
  const focused = useRef('')
  useLayoutEffect(() => {
    const current = scroller.current?.querySelector<HTMLElement>('a[aria-current]')
    if (current == null || focused.current === position) return
    focused.current = position
    if (document.activeElement?.matches('body, .list, .list-row a')) current.focus({ preventScroll: true })
  })

  const overscan = Math.ceil(OVERSCAN / columns)
  const firstRow = Math.max(0, Math.floor(top / rowHeight) - overscan)
  const first = firstRow * columns
  const drawn = items.slice(first, (Math.ceil((top + visible.height) / rowHeight) + overscan) * columns)

  const firstInSight = Math.ceil(top / rowHeight) * columns - first
  const tabStop =
    drawn.find(({ id }) => id === selected) ?? drawn.slice(firstInSight).find((item) => !isHeading(item))

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section class="list" ref={scroller} onScroll={measure} tabIndex={0} aria-label={label}>
      {header}
      <div
        class="list-rows"
        style={{ height: `${height}px`, width: width === undefined ? '' : `${width}px` }}
      >
        {overlay}
        {/* biome-ignore lint/a11y/useSemanticElements: rows are placed, as those of a list of the browser cannot be */}
        <div
          role="list"
          class={columns > 1 ? 'list-grid' : ''}
          style={{
            paddingTop: `${firstRow * rowHeight}px`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {drawn.map((item, index) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={item.id}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={first + index + 1}
              class="list-row"
              style={{ height: `${rowHeight}px` }}
            >
              {row(item, { isCurrent: item.id === selected, tabIndex: item === tabStop ? 0 : -1 })}
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}
