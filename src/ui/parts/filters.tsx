import type { ComponentChildren } from 'preact'
import { place, router } from '../app.js'

/** Filters of a view: fields whose values stand in the address. */

export const SearchField = ({ label, placeholder }: { label: string; placeholder: string }) => (
  <input
    type="search"
    aria-label={label}
    placeholder={`${placeholder}  ( / )`}
    value={place.value.query.search ?? ''}
    onInput={({ currentTarget }) => router.filter({ search: currentTarget.value })}
  />
)

/** Sets a filter, or removes it. */
export const toggleFilter = (name: string): void =>
  router.filter({ [name]: place.value.query[name] === undefined ? '1' : undefined })

interface CheckProps {
  readonly name: string
  /** Checked where the filter is not set. */
  readonly isInverse?: boolean
  readonly children: ComponentChildren
}

export const FilterCheck = ({ name, isInverse = false, children }: CheckProps) => {
  const isSet = place.value.query[name] !== undefined
  return (
    <label>
      <input type="checkbox" checked={isSet !== isInverse} onChange={() => toggleFilter(name)} /> {children}
    </label>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
}

export const FilterChoice = ({ name, label, values }: ChoiceProps) => (
  <select
    aria-label={label}
    value={place.value.query[name] ?? ''}
    onChange={({ currentTarget }) => router.filter({ [name]: currentTarget.value })}
  >
    <option value="">{`every ${label.toLowerCase()}`}</option>
    {values.map((value) => (
      <option key={value}>{value}</option>
    ))}
  </select>
)
