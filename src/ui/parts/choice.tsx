interface ChoiceProps {
  readonly label: string
  readonly value: string
  /** Values, or values with their texts. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
  readonly isInvalid?: boolean
}

/** Select of one of several values. */
export const Choice = ({ label, value, options, onChange, isInvalid }: ChoiceProps) => (
  <select
    aria-label={label}
    aria-invalid={isInvalid}
    value={value}
    onChange={({ currentTarget }) => {
      const chosen = currentTarget.value
      // What is shown follows from `value` alone: a menu of actions goes back to its title.
      currentTarget.value = value
      onChange(chosen)
    }}
  >
    {options.map((option) => {
      const [id, text] = typeof option === 'string' ? [option, option] : option
      return (
        <option key={id} value={id}>
          {text}
        </option>
      )
    })}
  </select>
)
