import { computed } from '@preact/signals'
import { route, router } from '../app.js'
import { Choice } from './choice.js'
import { useShortcuts } from './shortcuts.js'

/** Filters of the view that is open, which are the query of its address. */
export const filters = computed(() => route.value.query)

/** What is searched for, in lower case; empty: everything. */
export const search = computed(() => (filters.value.search ?? '').trim().toLowerCase())

export const hasFilter = (name: string): boolean => filters.value[name] !== undefined

export const SearchField = ({ label, placeholder }: { label: string; placeholder: string }) => (
  <input
    type="search"
    aria-label={label}
    placeholder={`${placeholder}  ( / )`}
    value={filters.value.search ?? ''}
    onInput={({ currentTarget }) => router.filter({ search: currentTarget.value })}
  />
)

interface FilterCheckProps {
  readonly name: string
  readonly label: string
  readonly shortcut?: string
  /** Checked where the filter is not set. */
  readonly isInverse?: boolean
}

export const FilterCheck = ({ name, label, shortcut, isInverse = false }: FilterCheckProps) => {
  const toggle = () => router.filter({ [name]: hasFilter(name) ? undefined : '1' })
  useShortcuts(shortcut === undefined ? [] : [{ keys: shortcut, label, run: toggle }])
  return (
    <label>
      <input type="checkbox" checked={hasFilter(name) !== isInverse} onChange={toggle} /> {label}{' '}
      {shortcut && <kbd>{shortcut}</kbd>}
    </label>
  )
}

interface FilterChoiceProps {
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
}

export const FilterChoice = ({ name, label, values }: FilterChoiceProps) => (
  <Choice
    label={label}
    value={filters.value[name] ?? ''}
    options={[['', `every ${label.toLowerCase()}`], ...new Set(values.concat(filters.value[name] ?? []))]}
    onChange={(value) => router.filter({ [name]: value })}
  />
)
