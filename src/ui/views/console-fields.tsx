import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { paramNames } from '../../emulator/surface/paths.js'
import type { OperationRecord } from '../../generated/control-api.js'
import { tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { FileButton, FileDrop } from '../parts/file-button.js'
import { JsonForm } from '../parts/json-form.js'
import { Section } from '../parts/layout.js'
import { type Draft, unsentHeaders, type Values } from '../state/draft.js'
import { fileNamed, keepFile } from '../state/files.js'
import { type JsonPath, type Schema, withValue } from '../state/json-form.js'
import { headersText } from './console-send.js'

const isForm = signal(true)

export const queryNames = ({ query }: OperationRecord): string[] =>
  Object.keys((query as Schema | null)?.properties ?? {})

export interface FieldsProps {
  readonly operation: OperationRecord
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
  readonly fixtures: Parameters<typeof JsonForm>[0]['fixtures']
  /** Paths of the fields that are refused. */
  readonly refused: ReadonlySet<string>
}

/** The fields of a draft: path, query, form, headers, body. */
export const CallFields = (props: FieldsProps) => {
  const { operation, draft, onChange } = props
  const { fileField, path, family } = operation
  const ids = tasks.value.filter((task) => task.family === family).map(({ id }) => id)
  return (
    <>
      <TextFields
        place="path"
        names={paramNames(path)}
        values={draft.params}
        onChange={(params) => onChange({ params })}
        suggestions={ids}
      />
      <TextFields
        place="query"
        names={queryNames(operation)}
        values={draft.query}
        onChange={(query) => onChange({ query })}
        suggestions={ids}
      />
      {fileField !== null && (
        <>
          <FileField {...props} field={fileField} />
          <TextFields
            place="form"
            names={['group_id']}
            values={draft.form}
            onChange={(form) => onChange({ form })}
          />
        </>
      )}
      <Headers {...props} />
      {operation.body !== null && <Body {...props} schema={operation.body as Schema} />}
    </>
  )
}

const MAX_SUGGESTIONS = 20

interface TextFieldsProps {
  /** Where the fields stand. */
  readonly place: 'path' | 'query' | 'form'
  readonly names: readonly string[]
  readonly values: Values
  readonly onChange: (values: Values) => void
  /** Values to choose from for names of ids. Default: none. */
  readonly suggestions?: readonly string[]
}

const TextFields = ({ place, names, values, onChange, suggestions = [] }: TextFieldsProps) =>
  names.length === 0 ? null : (
    <div class="form">
      {names.map((name) => (
        <label key={name}>
          <span>
            {name} <span class="quiet">in the {place}</span>
          </span>
          <input
            list={/id$/.test(name) ? `suggestions-${name}` : undefined}
            value={values[name] ?? ''}
            onInput={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
          <datalist id={`suggestions-${name}`}>
            {/id$/.test(name) &&
              suggestions.slice(0, MAX_SUGGESTIONS).map((value) => <option key={value} value={value} />)}
          </datalist>
        </label>
      ))}
    </div>
  )

/** The file of a form: a local one, or a sample medium by its name. */
const FileField = ({
  draft: { form },
  onChange,
  fixtures,
  field,
}: FieldsProps & { readonly field: string }) => {
  const name = form[field] ?? ''
  const local = fileNamed(name)
  const setName = (chosen: string) => onChange({ form: { ...form, [field]: chosen } })
  const latest = useRef({ setName, file: undefined as File | undefined })
  latest.current.setName = setName
  const take = async (file: File): Promise<void> => {
    latest.current.file = file
    await keepFile(file)
    // Meanwhile the form may have been changed, or another file chosen.
    if (latest.current.file === file) latest.current.setName(file.name)
  }
  return (
    <FileDrop onFile={take}>
      <div class="form">
        <label>
          <span>
            {field} <span class="quiet">in the form</span>
          </span>
          <input
            list="suggestions-file"
            placeholder="drop a file here, or name a sample"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
      </div>
      <datalist id="suggestions-file">
        {fixtures.map((fixture) => (
          <option key={fixture.name} value={fixture.name} />
        ))}
      </datalist>
      <p class="file-facts">
        <FileButton label={field} onFile={take} />{' '}
        <Choice
          label={`Sample medium for ${field}`}
          value=""
          options={[['', 'sample medium…'], ...fixtures.map((fixture) => fixture.name)]}
          onChange={setName}
        />{' '}
        <span class="quiet">
          {local === undefined
            ? fixtures.some((fixture) => fixture.name === name) && 'a sample medium'
            : `your file, ${Math.ceil(local.file.size / 1024)} KiB`}
        </span>
      </p>
    </FileDrop>
  )
}

/** Headers that the emulator reads, or that clients of other services send. */
const KNOWN_HEADERS = [
  'X-Backlot-Scenario: one-failed-poll',
  'Idempotency-Key: 1',
  'Content-Type: text/plain',
]

/** The headers of a call as lines. They are taken when the field is left: each beginning of a key would open an account. */
const Headers = ({ operation, draft, onChange }: FieldsProps) => {
  const text = headersText(draft, operation)
  const lines = text.split('\n')
  const unsent = unsentHeaders(text)
  return (
    <details class="headers" open={draft.headers !== undefined}>
      <summary>
        Headers {draft.headers === undefined ? '(the usual ones)' : `(${lines.length}, edited)`}
      </summary>
      <textarea
        class="code"
        aria-label="Headers, one a line"
        spellcheck={false}
        rows={lines.length + 1}
        value={text}
        onChange={({ currentTarget }) => onChange({ headers: currentTarget.value })}
      />
      <div class="buttons">
        <Choice
          label="Add a header"
          value=""
          options={[['', '+ header'], ...KNOWN_HEADERS]}
          onChange={(line) => onChange({ headers: `${text}\n${line}`.trim() })}
        />
        <Button onClick={() => onChange({ headers: text.replace(/^authorization:.*\n?/im, '') })}>
          without the key
        </Button>
        {draft.headers !== undefined && (
          <Button onClick={() => onChange({ headers: undefined })}>the usual ones</Button>
        )}
      </div>
      {unsent.length > 0 && <p class="problem">A browser does not send: {unsent.join(', ')}.</p>}
    </details>
  )
}

interface BodyProps extends FieldsProps {
  readonly schema: Schema
}

/** The body as a form or as JSON; text that is no JSON can only be edited as such. */
const Body = ({ schema, draft: { text }, onChange, fixtures, refused }: BodyProps) => {
  const parsed = parse(text)
  return (
    <Section title="Body" aside={<BodyModes />}>
      {isForm.value && 'value' in parsed ? (
        <JsonForm
          schema={schema}
          value={parsed.value}
          fixtures={fixtures}
          refused={refused}
          onChange={(path: JsonPath, value) =>
            onChange({ text: JSON.stringify(withValue(parsed.value, path, value), null, 2) })
          }
        />
      ) : (
        <>
          {isForm.value && 'problem' in parsed && (
            <p class="problem">The JSON cannot be read: {parsed.problem}</p>
          )}
          <textarea
            class="code"
            aria-label="Body, JSON"
            aria-invalid={'problem' in parsed}
            spellcheck={false}
            rows={Math.min(30, text.split('\n').length + 1)}
            value={text}
            onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
          />
        </>
      )}
    </Section>
  )
}

const BodyModes = () => (
  <span class="buttons">
    <Button isPressed={isForm.value} onClick={() => (isForm.value = true)}>
      Form
    </Button>
    <Button isPressed={!isForm.value} onClick={() => (isForm.value = false)}>
      JSON
    </Button>
  </span>
)

const parse = (text: string): { value: unknown } | { problem: string } => {
  try {
    return { value: text === '' ? {} : JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
