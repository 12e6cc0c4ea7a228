import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ExplainedRequest, OperationRecord, SampleRequest } from '../../generated/control-api.js'
import type { OperationName } from '../../generated/names.js'
import { api, invoke, place, requests, router, scenarios, sessionState, tasks } from '../app.js'
import { useAnswer } from '../parts/answer.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { Message, Scroll, Section } from '../parts/facts.js'
import { JsonForm } from '../parts/json-form.js'
import { ApiError } from '../state/api.js'
import { type JsonPath, routeParams, type Schema, withValue } from '../state/json-form.js'
import { Decided } from './console-decided.js'

/** A call that is being written. */
interface Draft {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** JSON of the body; empty: none. */
  readonly text: string
  /** Fields of a form, with the name of a sample medium in that of the file. */
  readonly form: Readonly<Record<string, string>>
}

/** Drafts by operation, which outlive the view. */
const drafts = signal<Readonly<Record<string, Draft>>>({})
const isForm = signal(true)
/** The past request that was put into its draft. */
let taken = ''

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const draftOf = (operation: OperationRecord, sample: SampleRequest | undefined): Draft => {
  const latest = tasks.value.find(({ family }) => family === operation.family) ?? tasks.value[0]
  const body = sample?.body ?? null
  return {
    params: Object.fromEntries(namesIn(operation.path).map((name) => [name, latest?.id ?? ''])),
    query: {},
    text: body === null ? '' : JSON.stringify(body, null, 2).replaceAll('{origin}', api.origin),
    form: sample?.form ?? {},
  }
}

/** Console: a call of any operation, checked by the real rules while it is typed, and sent. */
export const ConsoleView = () => {
  const { answer, problem } = useAnswer('operations.list', {}, [])
  const { answer: fixtures } = useAnswer('fixtures.list', {}, [])
  const past = usePastRequest(place.value.id, answer?.items)
  if (problem !== undefined) return <Message isError text={problem.message} hint={problem.hint} />
  if (answer === undefined) return null
  const chosen = place.value.query.operation ?? past.operation ?? 'b-video-task.create'
  const operation = answer.items.find(({ id }) => id === chosen)
  if (operation === undefined)
    return <Message isError text={`There is no operation ${chosen}.`} hint="Choose one in the console." />
  const draft = drafts.value[operation.id] ?? draftOf(operation, operation.samples[0])
  const set = (change: Partial<Draft>) => {
    drafts.value = { ...drafts.value, [operation.id]: { ...draft, ...change } }
  }
  const sampleOf = (name: string) => operation.samples.find((sample) => sample.name === name)
  return (
    <Call operation={operation} draft={draft} set={set} fixtures={fixtures?.items ?? []}>
      <div class="console-head">
        <Choice
          label="Operation"
          value={operation.id}
          of={answer.items.map(({ id, section, summary }) => [id, `${section} · ${id} · ${summary}`])}
          choose={(id) => router.go({ view: 'console', query: { operation: id } })}
        />
        {operation.samples.length > 0 && (
          <Choice
            label="Sample"
            value=""
            of={[
              ['', 'begin with…'],
              ...operation.samples.map(({ name, says }) => [name, `${name}: ${says}`] as const),
            ]}
            choose={(name) => set(draftOf(operation, sampleOf(name)))}
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

/** Hook: puts a past request into its draft, once. */
const usePastRequest = (id: string, operations: readonly OperationRecord[] | undefined) => {
  const [past, setPast] = useState<{ operation?: string; note: string; isError: boolean }>({
    note: '',
    isError: false,
  })
  useEffect(() => {
    if (id === '' || operations === undefined) return setPast({ note: '', isError: false })
    const read = async () => {
      const request = await invoke('requests.read', { id })
      const operation = operations.find((one) => one.id === request.operation)
      if (operation === undefined)
        throw new Error(`The request ${id} is of no operation, so it cannot be opened here.`)
      if (taken !== id) drafts.value = { ...drafts.value, [operation.id]: draftFrom(request, operation) }
      taken = id
      const isCut = JSON.stringify(request.body ?? '').includes('… (')
      const note = `From the request ${id}.${isCut ? ' The journal has cut long texts in it: put them in again.' : ''}`
      setPast({ operation: operation.id, note, isError: isCut })
    }
    read().catch((error: Error) => setPast({ note: error.message, isError: true }))
  }, [id, operations])
  return past
}

const draftFrom = (request: ExplainedRequest, operation: OperationRecord): Draft => {
  const { fields, files } = (request.body ?? {}) as {
    fields?: Record<string, string>
    files?: { name: string }[]
  }
  const file = operation.fileField === null ? {} : { [operation.fileField]: files?.[0]?.name ?? '' }
  return {
    params: routeParams(operation.path, request.path) ?? {},
    query: Object.fromEntries(new URLSearchParams(request.query)),
    text: operation.body === null || request.body == null ? '' : JSON.stringify(request.body, null, 2),
    form: operation.fileField === null ? {} : { ...fields, ...file },
  }
}

interface CallProps {
  readonly operation: OperationRecord
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  readonly fixtures: Parameters<typeof JsonForm>[0]['fixtures']
  readonly children: ComponentChildren
}

/** A draft in its fields, and beside it what would come of it. */
const Call = ({ operation, draft, set, fixtures, children }: CallProps) => {
  const { answer: dryRun, problem } = useDryRun(operation, draft)
  const { fileField, body, query } = operation
  const refused = new Set((dryRun?.refusedBy ?? []).map(({ field = '' }) => field))
  const inQuery = Object.keys((query as Schema | null)?.properties ?? {})
  const parsed = parse(draft.text)
  return (
    <div class="split with-detail both">
      <Scroll label="Call" class="padded">
        {children}
        <Named
          label="path"
          names={namesIn(operation.path)}
          values={draft.params}
          set={(params) => set({ params })}
        />
        <Named label="query" names={inQuery} values={draft.query} set={(query) => set({ query })} />
        {fileField !== null && (
          <Named
            label="form"
            names={[fileField, 'group_id']}
            values={draft.form}
            set={(form) => set({ form })}
            choices={{ [fileField]: fixtures.map(({ name }) => name) }}
          />
        )}
        {body !== null && (
          <Section
            title="Body"
            aside={
              <span class="buttons">
                {[true, false].map((asForm) => (
                  <button
                    key={String(asForm)}
                    type="button"
                    aria-pressed={isForm.value === asForm}
                    onClick={() => {
                      isForm.value = asForm
                    }}
                  >
                    {asForm ? 'Form' : 'JSON'}
                  </button>
                ))}
              </span>
            }
          >
            {isForm.value && 'value' in parsed ? (
              <JsonForm
                schema={body as Schema}
                value={parsed.value}
                fixtures={fixtures}
                refused={refused}
                change={(path: JsonPath, value) =>
                  set({ text: JSON.stringify(withValue(parsed.value, path, value), null, 2) })
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
                  rows={Math.min(30, draft.text.split('\n').length + 1)}
                  value={draft.text}
                  onInput={({ currentTarget }) => set({ text: currentTarget.value })}
                />
              </>
            )}
          </Section>
        )}
      </Scroll>
      <aside class="detail" aria-label="What would come of it">
        <Button class="primary" act={() => send(operation, draft)}>
          Send {operation.method} as {sessionState.value.account?.name ?? 'default'}
        </Button>
        {problem !== undefined && <Message isError text={problem.message} hint={problem.hint} />}
        {problem === undefined && dryRun !== undefined && <Decided dryRun={dryRun} />}
      </aside>
    </div>
  )
}

const parse = (text: string): { value: unknown } | { problem: string } => {
  try {
    return { value: text === '' ? {} : JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

interface NamedProps {
  readonly label: string
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly set: (values: Readonly<Record<string, string>>) => void
  readonly choices?: Readonly<Record<string, readonly string[]>>
}

/** Fields of the path, the query or a form. */
const Named = ({ label, names, values, set, choices = {} }: NamedProps) =>
  names.length === 0 ? null : (
    <div class="form">
      {names.map((name) => (
        <label key={name}>
          <span>
            <span class="quiet">{label}</span> {name}
          </span>
          <input
            list={choices[name] === undefined ? undefined : `choices-${name}`}
            value={values[name] ?? ''}
            onInput={({ currentTarget }) => set({ ...values, [name]: currentTarget.value })}
          />
          {choices[name] !== undefined && (
            <datalist id={`choices-${name}`}>
              {choices[name].map((choice) => (
                <option key={choice} value={choice} />
              ))}
            </datalist>
          )}
        </label>
      ))}
    </div>
  )

const withoutEmpty = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** Hook: what the real rules say of a draft. */
const useDryRun = ({ id, fileField }: OperationRecord, draft: Draft) => {
  const { [fileField ?? '']: fixture, ...fields } = withoutEmpty(draft.form)
  const form = fileField === null ? { text: draft.text } : { fields, fixture }
  const { params, query } = draft
  const input = { operation: id as OperationName, params, query: withoutEmpty(query), ...form }
  // The answer depends on what the account has, too.
  return useAnswer('dry-run', input, [JSON.stringify(input), requests.value[0]?.id, scenarios.value])
}

/** Sends a call as a client would, and goes to what came of it. */
const send = async ({ method, path, fileField }: OperationRecord, draft: Draft): Promise<void> => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(draft.params[name] || name),
  )
  const query = new URLSearchParams(withoutEmpty(draft.query)).toString()
  const headers: Record<string, string> = {
    authorization: `Bearer ${sessionState.value.account?.key ?? 'default'}`,
  }
  const body = fileField === null ? draft.text : await formOf(draft.form, fileField)
  if (typeof body === 'string' && body !== '') headers['content-type'] = 'application/json'
  const init = { method, headers, ...(method === 'GET' || body === '' ? {} : { body }) }
  const response = await fetch(`${api.origin}${filled}${query === '' ? '' : `?${query}`}`, init).catch(() => {
    throw new ApiError(
      0,
      'no-answer',
      'The call got no answer: its connection was ended.',
      'The list of requests has it.',
    )
  })
  const id = response.headers.get('x-request-id')
  await response.body?.cancel()
  router.go({ view: 'requests', id: id ?? '' })
}

const formOf = async (fields: Readonly<Record<string, string>>, fileField: string): Promise<FormData> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(withoutEmpty(fields))) {
    if (name !== fileField) form.set(name, value)
    else
      form.set(
        name,
        await (await fetch(`${api.origin}/_backlot/fixtures/${encodeURIComponent(value)}`)).blob(),
        value,
      )
  }
  return form
}
