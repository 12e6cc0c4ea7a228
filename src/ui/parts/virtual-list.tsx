import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<T> {
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  /** In pixels, the same for every row. */
  readonly rowHeight: number
  readonly row: (item: T, sight: Sight) => ComponentChildren
  readonly label: string
  /** The id of the row to keep in sight when it changes. */
  readonly selected?: string
  /** Of the rows, in pixels; default: as wide as the list. */
  readonly width?: number
  /** Drawn above the rows, and stays at the top. */
  readonly head?: (sight: Sight) => ComponentChildren
  /** Drawn over the rows. */
  readonly over?: ComponentChildren
  /** Gets the scrolling element once it is there. */
  readonly box?: { current: HTMLElement | null }
  /** Called with the scrolling element before it is painted, and whenever it was resized or scrolled. */
  readonly onLook?: (box: HTMLElement) => void
}

/** The part of the width that is in sight, in pixels. */
export interface Sight {
  readonly left: number
  readonly right: number
}

/** Rows drawn beyond both edges, for quick scrolling. */
const SPARE = 6

/**
 * Virtual list: draws only the rows in sight. Rows that are added at the top move nothing that is being read: the list
 * follows them only where it stands at its top.
 */
export const VirtualList = <T,>({
  items,
  idOf,
  rowHeight,
  row,
  label,
  selected,
  width,
  head,
  over,
  box: given,
  onLook,
}: VirtualListProps<T>) => {
  const own = useRef<HTMLElement | null>(null)
  const box = given ?? own
  const [{ top, height, left, right }, setSight] = useState({ top: 0, height: 800, left: 0, right: 1_600 })
  const drawnItems = useRef(items)
  const shown = useRef<string | undefined>('')

  // Read where it is known already: in an effect it would make the browser lay the page out once more.
  const look = (): void => {
    const element = box.current
    if (element === null) return
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = element
    setSight({ top: scrollTop, height: clientHeight, left: scrollLeft, right: scrollLeft + clientWidth })
    onLook?.(element)
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look)
    observer.observe(box.current as HTMLElement)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    const at = Math.floor(top / rowHeight)
    const read = top > 0 ? drawnItems.current[at] : undefined
    const index = read === undefined ? -1 : items.findIndex((item) => idOf(item) === idOf(read))
    if (element !== null && index >= 0 && index !== at) {
      element.scrollTop += (index - at) * rowHeight
      look()
    }
    drawnItems.current = items
  }, [items])

  // Once for each selected row, as soon as it is in the list.
  useEffect(() => {
    const element = box.current
    if (element === null || selected === shown.current) return
    const index = items.findIndex((item) => idOf(item) === selected)
    if (index < 0) return
    shown.current = selected
    const from = index * rowHeight
    const headHeight = element.scrollHeight - items.length * rowHeight
    const room = element.clientHeight - headHeight - rowHeight
    element.scrollTop = Math.min(from, Math.max(from - room, element.scrollTop))
  }, [selected, items])

  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE)
  const drawn = items.slice(first, Math.ceil((top + height) / rowHeight) + SPARE)

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section class="list" ref={box} onScroll={look} tabIndex={0} aria-label={label}>
      {head?.({ left, right })}
      <div
        class="list-rows"
        style={{ height: `${items.length * rowHeight}px`, width: width === undefined ? '' : `${width}px` }}
      >
        {over}
        {/* biome-ignore lint/a11y/useSemanticElements: rows are placed, as those of a list of the browser cannot be */}
        <div role="list" style={{ paddingTop: `${first * rowHeight}px` }}>
          {drawn.map((item) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div key={idOf(item)} role="listitem" class="list-row" style={{ height: `${rowHeight}px` }}>
              {row(item, { left, right })}
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}
