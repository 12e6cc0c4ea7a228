interface ChoiceProps {
  readonly label: string
  readonly value: string
  /** Values, or values with their texts. */
  readonly of: readonly (string | readonly [value: string, text: string])[]
  readonly choose: (value: string) => void
  readonly isRefused?: boolean
}

/** Choice of one of several values. */
export const Choice = ({ label, value, of, choose, isRefused }: ChoiceProps) => (
  <select
    aria-label={label}
    aria-invalid={isRefused}
    value={value}
    onChange={({ currentTarget }) => {
      const { value: chosen } = currentTarget
      // A choice of something to do goes back to its name.
      currentTarget.value = value
      choose(chosen)
    }}
  >
    {of.map((one) => {
      const [option, text] = typeof one === 'string' ? [one, one] : one
      return (
        <option key={option} value={option}>
          {text}
        </option>
      )
    })}
  </select>
)
