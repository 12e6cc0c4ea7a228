export interface TextFieldProps {
  readonly 'aria-label': string
  readonly 'aria-invalid': boolean
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Field of a text, with as many lines as it needs. */
export const TextField = ({ value, onChange, ...common }: TextFieldProps) => (
  <textarea
    {...common}
    rows={Math.min(6, 1 + Math.floor(value.length / 60))}
    value={value}
    onInput={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
