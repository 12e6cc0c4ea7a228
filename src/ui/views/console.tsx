import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { fillPath, paramNames, pathMatcher } from '../../emulator/surface/paths.js'
import type { ExplainedRequest, OperationRecord, SampleRequest } from '../../generated/control-api.js'
import type { OperationName } from '../../generated/names.js'
import { api, invoke, requests, route, router, scenarios, sessionState, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { JsonForm } from '../parts/json-form.js'
import { ErrorMessage, Message, Scroll, Section } from '../parts/layout.js'
import { useFetch } from '../parts/use-fetch.js'
import { storedSignal } from '../signals.js'
import { ApiError } from '../state/api.js'
import { bodyText, hintOf } from '../state/copy-as.js'
import { type JsonPath, type Schema, withValue } from '../state/json-form.js'
import { withoutEmpty } from '../state/router.js'
import { DEFAULT_KEY } from '../state/session.js'
import { DryRunResult } from './console-dry-run.js'

type Values = Readonly<Record<string, string>>

/** A call that is being written. */
interface Draft {
  readonly params: Values
  readonly query: Values
  /** JSON of the body; empty: none. */
  readonly text: string
  /** Fields of a form, with the name of a sample medium in that of the file. */
  readonly form: Values
  /** The past request that it was made of, as text; undefined: none. */
  readonly past?: string | undefined
}

const draftsText = storedSignal('backlot-drafts', '{}')
/** Drafts by operation, which outlive the view. */
const drafts = computed<Readonly<Record<string, Draft>>>(() => JSON.parse(draftsText.value))
const setDraft = (operation: string, draft: Draft): void => {
  draftsText.value = JSON.stringify({ ...drafts.value, [operation]: draft })
}
const isForm = signal(true)

// The status in which a task is of most use to an operation, by the verb of its id.
const wantedStatus: Readonly<Record<string, string>> = { cancel: 'queued', content: 'succeeded' }

/** The id of the task, or upload, of its family that an operation is most likely meant for; empty: there is none. */
const likelyTask = ({ id, family }: OperationRecord): string => {
  const own = tasks.value.filter((task) => task.family === family)
  const wanted = wantedStatus[id.slice(family.length + 1)]
  const upload = requests.value.find(({ operation, task }) => task && operation === `${family}.upload`)
  return (own.find(({ status }) => status === wanted) ?? own[0])?.id ?? upload?.task ?? ''
}

const queryNames = ({ query }: OperationRecord) => Object.keys((query as Schema | null)?.properties ?? {})

const sampleDraft = (operation: OperationRecord, sample: SampleRequest | undefined): Draft => {
  const task = likelyTask(operation)
  const body = sample?.body ?? null
  return {
    params: Object.fromEntries(paramNames(operation.path).map((name) => [name, task])),
    query: queryNames(operation).includes('task_id') ? { task_id: task } : {},
    text: body === null ? '' : JSON.stringify(body, null, 2).replaceAll('{origin}', api.origin),
    form: sample?.form ?? {},
    past: undefined,
  }
}

/** Console: a call of any operation, checked by the real rules while it is typed, and sent. */
export const ConsoleView = () => {
  const { data, error } = useFetch('operations.list', {}, [])
  const { data: fixtures } = useFetch('fixtures.list', {}, [])
  const past = usePastRequest(route.value.id, data?.items)
  if (error !== undefined) return <ErrorMessage error={error} />
  if (data === undefined) return null
  const operationId = route.value.query.operation ?? past.operation ?? 'b-video-task.create'
  const operation = data.items.find(({ id }) => id === operationId)
  if (operation === undefined)
    return <Message isError text={`There is no operation ${operationId}.`} hint="Choose another one." />
  const { samples } = operation
  const sampleNamed = (name: string) => samples.find((sample) => sample.name === name)
  const draft = drafts.value[operation.id] ?? sampleDraft(operation, samples[0])
  const change = (changes: Partial<Draft>) => setDraft(operation.id, { ...draft, ...changes })
  return (
    <Call operation={operation} draft={draft} onChange={change} fixtures={fixtures?.items ?? []}>
      <div class="console-head">
        <Choice
          label="Operation"
          value={operation.id}
          options={data.items.map(({ id, section, summary }) => [id, `${section} · ${id} · ${summary}`])}
          onChange={(id) => router.go({ view: 'console', query: { operation: id } })}
        />
        {samples.length > 0 && (
          <Choice
            label="Sample"
            value=""
            options={[
              ['', 'begin with…'],
              ...samples.map(({ name, says }) => [name, `${name}: ${says}`] as const),
            ]}
            onChange={(name) => {
              router.go({ view: 'console', query: { operation: operation.id } })
              change(sampleDraft(operation, sampleNamed(name)))
            }}
          />
        )}
      </div>
      <p class="quiet">
        <code>
          {operation.method} {operation.path}
        </code>
      </p>
      {past.note !== '' && <p class={past.isError ? 'problem' : 'quiet'}>{past.note}</p>}
    </Call>
  )
}

interface PastRequest {
  /** Undefined: there is none, or it is of no operation. */
  readonly operation?: string
  readonly note: string
  readonly isError: boolean
}

const NO_REQUEST: PastRequest = { note: '', isError: false }

/** Hook: puts a past request into its draft, once. */
const usePastRequest = (id: string, operations: readonly OperationRecord[] | undefined): PastRequest => {
  const [past, setPast] = useState(NO_REQUEST)
  useEffect(() => {
    if (id === '' || operations === undefined) return setPast(NO_REQUEST)
    const load = async () => {
      const request = await invoke('requests.read', { id })
      const operation = operations.find((candidate) => candidate.id === request.operation)
      if (operation === undefined)
        throw new Error(`The request ${id} is of no operation, so it cannot be opened here.`)
      const draft = requestDraft(request, operation)
      const past = id + JSON.stringify(draft)
      if (drafts.value[operation.id]?.past !== past) setDraft(operation.id, { ...draft, past })
      const note = `From the request ${id}, without its headers. ${hintOf(request)}`
      setPast({ operation: operation.id, note, isError: !request.isWhole })
    }
    load().catch((error: Error) => setPast({ note: error.message, isError: true }))
  }, [id, operations])
  return past
}

const requestDraft = (request: ExplainedRequest, operation: OperationRecord): Draft => {
  const { fileField } = operation
  const { fields, files } = (request.body ?? {}) as { fields?: Values; files?: { name: string }[] }
  return {
    params: pathMatcher(operation.path)(request.path) ?? {},
    query: Object.fromEntries(new URLSearchParams(request.query)),
    text: operation.body === null ? '' : bodyText(request, 2),
    form: fileField === null ? {} : { ...fields, [fileField]: files?.[0]?.name ?? '' },
  }
}

interface CallProps {
  readonly operation: OperationRecord
  readonly draft: Draft
  readonly onChange: (changes: Partial<Draft>) => void
  readonly fixtures: Parameters<typeof JsonForm>[0]['fixtures']
}

/** A draft in its fields, and beside it what would come of it. */
const Call = ({ children, ...props }: CallProps & { readonly children: ComponentChildren }) => {
  const { operation, draft, onChange, fixtures } = props
  const { data: dryRun, error } = useDryRun(operation, draft)
  const { fileField, path } = operation
  const empty = paramNames(path).find((name) => !draft.params[name])
  const refused = new Set((dryRun?.refusedBy ?? []).map(({ field = '' }) => field))
  return (
    <div class="split with-detail both">
      <Scroll label="Call" class="padded">
        {children}
        <TextFields
          label="path"
          names={paramNames(path)}
          values={draft.params}
          onChange={(params) => onChange({ params })}
        />
        <TextFields
          label="query"
          names={queryNames(operation)}
          values={draft.query}
          onChange={(changed) => onChange({ query: changed })}
        />
        {fileField !== null && (
          <TextFields
            label="form"
            names={[fileField, 'group_id']}
            values={draft.form}
            onChange={(form) => onChange({ form })}
            suggestions={{ [fileField]: fixtures.map(({ name }) => name) }}
          />
        )}
        {operation.body !== null && <Body {...props} schema={operation.body as Schema} refused={refused} />}
      </Scroll>
      <aside class="detail" aria-label="What would come of it">
        <Button class="primary" onClick={() => send(operation, draft)}>
          Send {operation.method} as {sessionState.value.account?.name ?? DEFAULT_KEY}
        </Button>
        <ErrorMessage error={error} />
        {error === undefined && dryRun !== undefined && <DryRunResult dryRun={dryRun} empty={empty} />}
      </aside>
    </div>
  )
}

interface BodyProps extends Omit<CallProps, 'operation'> {
  readonly schema: Schema
  readonly refused: ReadonlySet<string>
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

interface TextFieldsProps {
  /** Where the fields stand: path, query or form. */
  readonly label: string
  readonly names: readonly string[]
  readonly values: Values
  readonly onChange: (values: Values) => void
  /** Values to choose from, by the name of a field. */
  readonly suggestions?: Readonly<Record<string, readonly string[]>>
}

const TextFields = ({ label, names, values, onChange, suggestions = {} }: TextFieldsProps) =>
  names.length === 0 ? null : (
    <div class="form">
      {names.map((name) => (
        <label key={name}>
          <span>
            <span class="quiet">{label}</span> {name}
          </span>
          <input
            list={suggestions[name] && `suggestions-${name}`}
            value={values[name] ?? ''}
            onInput={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
          />
          {suggestions[name] && (
            <datalist id={`suggestions-${name}`}>
              {suggestions[name].map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </label>
      ))}
    </div>
  )

/** Hook: what the real rules say of a draft. */
const useDryRun = ({ id, fileField }: OperationRecord, draft: Draft) => {
  const { [fileField ?? '']: fixture, ...fields } = withoutEmpty(draft.form)
  const content = fileField === null ? { text: draft.text } : { fields, fixture }
  const { params, query } = draft
  const input = { operation: id as OperationName, params, query: withoutEmpty(query), ...content }
  // The answer depends on what the account has, too.
  return useFetch('dry-run', input, [JSON.stringify(input), requests.value[0]?.id, scenarios.value])
}

/** Sends a call as a client would, and opens it in the list of requests. */
const send = async ({ method, path, fileField }: OperationRecord, draft: Draft): Promise<void> => {
  const query = new URLSearchParams(withoutEmpty(draft.query)).toString()
  const url = `${api.origin}${fillPath(path, draft.params)}${query === '' ? '' : `?${query}`}`
  const headers = withoutEmpty({
    authorization: `Bearer ${sessionState.value.account?.key ?? DEFAULT_KEY}`,
    'content-type': fileField === null && draft.text !== '' ? 'application/json' : '',
  })
  const body = fileField === null ? draft.text : await formData(draft.form, fileField)
  const init = { method, headers, ...(method === 'GET' || body === '' ? {} : { body }) }
  const response = await fetch(url, init).catch(() => {
    throw new ApiError(0, 'The call got no answer: its connection was ended.', 'The list of requests has it.')
  })
  await response.body?.cancel()
  router.go({ view: 'requests', id: response.headers.get('x-request-id') ?? '' })
}

const formData = async (values: Values, fileField: string): Promise<FormData> => {
  const { [fileField]: fixture, ...fields } = withoutEmpty(values)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (fixture !== undefined) {
    const file = await api.request(`/fixtures/${encodeURIComponent(fixture)}`)
    form.set(fileField, await file.blob(), fixture)
  }
  return form
}
