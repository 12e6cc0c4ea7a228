import {
  initialValue,
  type JsonPath,
  pathText,
  type Schema,
  variantFor,
  variantName,
  variantsOf,
} from '../state/json-form.js'
import { Button } from './button.js'
import { Choice } from './choice.js'
import { type Fixtures, MediumField } from './medium-field.js'
import { TextField } from './text-field.js'

interface FormContext {
  /** Sample media to pick. */
  readonly fixtures: Fixtures
  /** Paths of the fields that are refused. */
  readonly refused: ReadonlySet<string>
  /** Changes the value at a path; undefined removes it. */
  readonly onChange: (path: JsonPath, value: unknown) => void
}

interface FieldProps extends FormContext {
  readonly path: JsonPath
  readonly schema: Schema
  readonly value: unknown
}

/** Form of a JSON value by its schema. What the schema does not know is shown as JSON, so that nothing is lost. */
export const JsonForm = (props: Omit<FieldProps, 'path'>) => <Fields {...props} path={[]} />

/** The fields of an object that are there, and a choice of those that are not. */
const Fields = ({ path, schema, value, ...context }: FieldProps) => {
  const { properties = {}, required = [] } = variantFor(schema, value)
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>
  const absent = Object.keys(properties).filter((name) => !Object.hasOwn(fields, name))
  return (
    <div class="json-fields">
      {Object.entries(fields).map(([name, field]) => (
        <Row
          key={name}
          {...context}
          path={[...path, name]}
          schema={properties[name] ?? {}}
          value={field}
          isRequired={required.includes(name)}
        />
      ))}
      {absent.length > 0 && (
        <Choice
          label={`Add a field to ${pathText(path) || 'the body'}`}
          value=""
          options={[['', '+ field'], ...absent]}
          onChange={(name) => context.onChange([...path, name], initialValue(properties[name] ?? {}))}
        />
      )}
    </div>
  )
}

const Row = ({ isRequired = false, ...field }: FieldProps & { readonly isRequired?: boolean }) => {
  const { path, schema, value, refused, onChange } = field
  const name = pathText(path)
  const key = path.at(-1)
  const isRefused = refused.has(name)
  const isNested = typeof value === 'object' && value !== null
  return (
    <div class={`json-row ${isNested ? 'nested' : ''} ${isRefused ? 'refused' : ''}`}>
      <span class="json-label" title={variantFor(schema, value).description}>
        {typeof key === 'number' ? key + 1 : key}
        {isRefused && <span class="problem"> ✕</span>}
        {!isRequired && (
          <Button class="plain" aria-label={`Remove ${name}`} onClick={() => onChange(path, undefined)}>
            −
          </Button>
        )}
      </span>
      {Array.isArray(value) ? (
        <Items {...field} value={value} />
      ) : isNested ? (
        <Fields {...field} />
      ) : (
        <Leaf {...field} />
      )}
    </div>
  )
}

const Items = ({ path, schema, value, ...context }: FieldProps & { readonly value: readonly unknown[] }) => {
  const items = variantFor(schema, value).items ?? {}
  const variants = variantsOf(items)
  return (
    <div class="json-fields">
      {value.map((item, index) => (
        <Row key={index} {...context} path={[...path, index]} schema={items} value={item} />
      ))}
      <span class="buttons">
        {variants.map((variant, index) => (
          <Button
            key={index}
            class="plain"
            onClick={() => context.onChange([...path, value.length], initialValue(variant))}
          >
            + {variants.length === 1 ? 'item' : variantName(variant)}
          </Button>
        ))}
      </span>
    </div>
  )
}

/** Whether a field holds the URL of a medium, by its path. */
const isMediaUrl = (path: string): boolean =>
  /(^|\.|_)(url|image|video|audio)(\[\d+\])?$/.test(path) && !path.includes('callback')

const Leaf = ({ path, schema, value, fixtures, refused, onChange }: FieldProps) => {
  const name = pathText(path)
  const { enum: choices, type, const: constant } = variantFor(schema, value)
  const common = { 'aria-label': name, 'aria-invalid': refused.has(name) }
  if (constant !== undefined && constant === value) return <code>{String(value)}</code>
  // A wrong value stays to be seen: it is what is wrong.
  const strange = choices?.includes(value) ? [] : [[String(value), `${JSON.stringify(value)} ✕`] as const]
  if (choices !== undefined)
    return (
      <Choice
        label={name}
        isInvalid={refused.has(name)}
        value={String(value)}
        options={[...choices.map(String), ...strange]}
        onChange={(chosen) => {
          const index = choices.map(String).indexOf(chosen)
          if (index >= 0) onChange(path, choices[index])
        }}
      />
    )
  if (type === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onChange(path, currentTarget.checked)}
      />
    )
  // One that was emptied, to type another number, stays a field for numbers, and keeps the focus.
  if (typeof value === 'number' || (value === '' && (type === 'integer' || type === 'number')))
    return (
      <input
        {...common}
        type="number"
        step="any"
        value={value}
        onInput={({ currentTarget }) =>
          onChange(path, currentTarget.value === '' ? '' : Number(currentTarget.value))
        }
      />
    )
  return isMediaUrl(name) ? (
    <MediumField
      {...common}
      fixtures={fixtures}
      value={textOf(value)}
      onChange={(url) => onChange(path, url)}
    />
  ) : (
    <TextField {...common} value={textOf(value)} onChange={(text) => onChange(path, text)} />
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
