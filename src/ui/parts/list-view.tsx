import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { accountNow, route, router } from '../app.js'
import { type DayRow, isDayRow, withDays } from '../state/day-rows.js'
import { dateOf } from '../state/format.js'
import { leaveControl, useShortcuts } from './shortcuts.js'
import { type Viewport, VirtualList, type VirtualListProps } from './virtual-list.js'

interface ListViewProps<T extends { readonly id: string }>
  extends Omit<VirtualListProps<T>, 'selected' | 'columns' | 'isHeading'> {
  /** Day of an item, `2026-01-01`, in a list with a heading for each day; default: there are none. */
  readonly dayOf?: (item: T) => string
  /** Least width of an item in pixels, of which as many stand in a row as fit; default: one fills the row. */
  readonly columnWidth?: number
  readonly filters: ComponentChildren
  /** Between the filters and the list; default: nothing. */
  readonly above?: ComponentChildren
  /** In place of a list without items; false: the list all the same. */
  readonly empty: ComponentChildren
  /** What is open beside the list; false: nothing. */
  readonly detail: (openId: string) => ComponentChildren
  /** Opens a row; default: in its view. */
  readonly openRow?: (id: string) => void
}

/** The day of the account's clock. */
const today = computed(() => dateOf(accountNow()))

/** The row that the keyboard is at where none is open, by the label of its list. */
const cursors = signal<Readonly<Record<string, string>>>({})

const isOnRow = (): boolean => document.activeElement?.matches('.list-row a') === true

const besideKeys = (move: (by: number) => void) => [
  { keys: 'ArrowRight', label: 'on a card: the next one', run: () => isOnRow() && move(1) },
  { keys: 'ArrowLeft', label: 'on a card: the previous one', run: () => isOnRow() && move(-1) },
]

/**
 * A list below its filters, with what is open beside it. j and k move the selection, Enter opens it, Escape goes back.
 * While a row is open, j and k open the next and the previous one.
 */
export const ListView = <T extends { readonly id: string }>(props: ListViewProps<T>) => {
  const { filters, above, empty, detail, openRow = router.open, columnWidth, onViewport, ...rest } = props
  const { dayOf, row, ...list } = rest
  const { items, label } = list
  const day = today.value
  const rows = useMemo(() => (dayOf === undefined ? items : withDays(items, dayOf, day)), [items, day])
  const [columns, setColumns] = useState(1)
  const measureColumns = (viewport: Viewport) => {
    onViewport?.(viewport)
    if (columnWidth !== undefined)
      setColumns(Math.max(1, Math.floor((viewport.right - viewport.left) / columnWidth)))
  }
  const openId = route.value.id
  const selected = openId || (cursors.value[label] ?? '')
  const moveCursor = (id: string) => (cursors.value = { ...cursors.value, [label]: id })
  useEffect(() => {
    if (openId !== '') moveCursor(openId)
  }, [openId])
  const move = (by: number) => {
    const index = items.findIndex(({ id }) => id === selected)
    const next = items[Math.min(items.length - 1, Math.max(0, index < 0 ? 0 : index + by))]
    if (next === undefined) return
    if (!isOnRow()) leaveControl()
    moveCursor(next.id)
    if (openId !== '') router.replace(next.id)
  }
  const openSelected = () => {
    // A focused button or link has its own meaning of Enter.
    if (selected === '' || document.activeElement?.matches('a, button, summary, select')) return false
    openRow(selected)
  }
  useShortcuts([
    { keys: 'j', label: 'next row', run: () => move(1) },
    { keys: 'k', label: 'previous row', run: () => move(-1) },
    { keys: 'ArrowDown', label: 'on a row: the next one', run: () => isOnRow() && move(columns) },
    { keys: 'ArrowUp', label: 'on a row: the previous one', run: () => isOnRow() && move(-columns) },
    ...(columnWidth === undefined ? [] : besideKeys(move)),
    { keys: 'Enter', label: 'open the row', run: openSelected },
    { keys: 'Escape', label: 'back', run: () => openId !== '' && router.open('') },
  ])
  const opened = openId !== '' && detail(openId)
  return (
    <div class={opened === false ? 'split' : 'split with-detail'}>
      <div class="split-list">
        <div class="filters">{filters}</div>
        {above}
        {(items.length === 0 && empty) || (
          <VirtualList
            {...list}
            items={rows}
            row={(item, link) => (isDayRow(item) ? <DayHeading {...item} /> : row(item, link))}
            isHeading={isDayRow}
            columns={columns}
            onViewport={measureColumns}
            selected={selected}
          />
        )}
      </div>
      {opened}
    </div>
  )
}

const DayHeading = ({ day }: DayRow) => (
  <time class="day" dateTime={day}>
    {day}
  </time>
)
