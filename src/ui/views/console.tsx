import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { paramNames } from '../../emulator/surface/paths.js'
import type { OperationRecord, SampleRequest } from '../../generated/control-api.js'
import type { OperationName } from '../../generated/names.js'
import { api, invoke, requests, route, router, runAction, scenarios, sessionState, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { ErrorMessage, Message, Scroll } from '../parts/layout.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { useFetch } from '../parts/use-fetch.js'
import { hintOf } from '../state/copy-as.js'
import { type Draft, headerLines, requestDraft } from '../state/draft.js'
import { fileNamed, MAX_CHECKED_TEXT } from '../state/files.js'
import { withoutEmpty } from '../state/router.js'
import { DEFAULT_KEY } from '../state/session.js'
import { AnswerResult, History } from './console-answer.js'
import { Promised, Verdict } from './console-dry-run.js'
import { CallFields, type FieldsProps, queryNames } from './console-fields.js'
import { PasteCurl } from './console-paste.js'
import { accountKey, answers, drafts, headersText, pending, send, setDraft } from './console-send.js'

// The status in which a task is of most use to an operation, by the verb of its id.
const wantedStatus: Readonly<Record<string, string>> = { cancel: 'queued', content: 'succeeded' }

/** The id of the task, or upload, of its family that an operation is most likely meant for; empty: there is none. */
const likelyTask = ({ id, family }: OperationRecord): string => {
  const own = tasks.value.filter((task) => task.family === family)
  const wanted = wantedStatus[id.slice(family.length + 1)]
  const upload = requests.value.find(({ operation, task }) => task && operation === `${family}.upload`)
  return (own.find(({ status }) => status === wanted) ?? own[0])?.id ?? upload?.task ?? ''
}

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

/** Console: a call of any operation, checked by the real rules while it is typed, sent, and answered beside it. */
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
  // Of the draft as it is by then: a file is read before it is put in.
  const change = (changes: Partial<Draft>) =>
    setDraft(operation.id, { ...(drafts.value[operation.id] ?? draft), ...changes })
  return (
    <Call
      operation={operation}
      draft={draft}
      onChange={change}
      fixtures={fixtures?.items ?? []}
      operations={data.items}
    >
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
              change({ headers: undefined, ...sampleDraft(operation, sampleNamed(name)) })
            }}
          />
        )}
      </div>
      <PasteCurl operations={data.items} />
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
  readonly id: string
  /** Undefined where there is none, or it is of no operation. */
  readonly operation?: string
  readonly note: string
  readonly isError: boolean
}

const NO_REQUEST: PastRequest = { id: '', note: '', isError: false }

/** Hook: puts a past request into its draft, once. */
const usePastRequest = (id: string, operations: readonly OperationRecord[] | undefined): PastRequest => {
  const [past, setPast] = useState(NO_REQUEST)
  useEffect(() => {
    if (id === '' || operations === undefined) return setPast(NO_REQUEST)
    // A read that ends after the page went on to another request, or to none, changes nothing.
    let isCurrent = true
    const load = async () => {
      const request = await invoke('requests.read', { id })
      if (!isCurrent) return
      const wanted = request.operation ?? request.meant
      const operation = operations.find((candidate) => candidate.id === wanted)
      if (operation === undefined)
        throw new Error(`The request ${id} is of no operation, so it cannot be opened here.`)
      const sent = requestDraft(request, operation, accountKey())
      // The journal does not have the body of a call without an operation.
      const draft =
        request.operation === null && sent.text === '' ? sampleDraft(operation, operation.samples[0]) : sent
      const past = id + JSON.stringify(draft)
      if (drafts.value[operation.id]?.past !== past) setDraft(operation.id, { ...draft, past })
      const other =
        request.meant === null ? '' : ` Its route ${request.path} does not exist; this is the nearest.`
      const note = `From the request ${id}.${other} ${hintOf(request)}`
      setPast({ id, operation: operation.id, note, isError: !request.isWhole })
    }
    load().catch((error: Error) => isCurrent && setPast({ id, note: error.message, isError: true }))
    return () => {
      isCurrent = false
    }
  }, [id, operations])
  return past.id === id ? past : NO_REQUEST
}

interface CallProps extends Omit<FieldsProps, 'refused'> {
  readonly operations: readonly OperationRecord[]
  readonly children: ComponentChildren
}

/** A draft in its fields, and beside it what would come of it, and what has. */
const Call = ({ children, operations, ...props }: CallProps) => {
  const { operation, draft } = props
  const { data: dryRun, error, isOfDraft } = useDryRun(operation, draft)
  const isChecked = isSmall(operation, draft)
  const empty = paramNames(operation.path).find((name) => !draft.params[name])
  const refused = new Set((dryRun?.refusedBy ?? []).map(({ field = '' }) => field))
  const answer = answers.value[operation.id]
  const isVerdict = isChecked && error === undefined && dryRun !== undefined
  const sendIt = async () =>
    pending.value === undefined && send(operation, draft, isVerdict && isOfDraft ? dryRun.status : undefined)
  useSendKey(sendIt)
  return (
    <div class="split with-detail both">
      <Scroll label="Call" class="padded">
        {children}
        <CallFields key={operation.id} {...props} refused={refused} />
      </Scroll>
      <aside class="detail" aria-label="What would come of it, and what has">
        <SendButton method={operation.method} onSend={sendIt} />
        <ErrorMessage error={error} />
        {!isChecked && <p>The call is too large to be checked before it is sent: a check takes 4 MiB.</p>}
        {isVerdict && <Verdict dryRun={dryRun} empty={empty} />}
        {answer !== undefined && <AnswerResult answer={answer} />}
        {isVerdict && empty === undefined && (
          <Promised dryRun={dryRun} isOpen={answer === undefined} key={String(answer === undefined)} />
        )}
        <History operations={operations} />
      </aside>
    </div>
  )
}

const SendButton = ({ method, onSend }: { method: string; onSend: () => Promise<unknown> }) => {
  const isPending = pending.value !== undefined
  return (
    <div class="send" aria-busy={isPending}>
      <Button class="primary" isDisabled={isPending} onClick={onSend}>
        {isPending ? 'Sending…' : `Send ${method}`} as {sessionState.value.account?.name ?? DEFAULT_KEY}
      </Button>{' '}
      {isPending ? <Button onClick={() => pending.value?.cancel()}>Cancel</Button> : <kbd>Ctrl Enter</kbd>}
    </div>
  )
}

/** Hook: Ctrl Enter, or Command Enter, sends, also from a text field. */
const useSendKey = (run: () => Promise<unknown>): void => {
  const latest = useRef(run)
  latest.current = run
  useShortcuts([{ keys: 'Ctrl Enter', label: 'send, also from a field', run: () => false }])
  // Before the page is painted, as other shortcuts: the key may come at once.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      // Headers are taken when their field is left.
      const { activeElement: focused } = document
      if (focused?.matches('textarea')) focused.dispatchEvent(new Event('change', { bubbles: true }))
      requestAnimationFrame(() => runAction(() => latest.current()))
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether a dry run takes a draft: bodies of the control API have a limit. */
const isSmall = ({ fileField }: OperationRecord, { text, form }: Draft): boolean => {
  const local = fileField === null ? undefined : fileNamed(form[fileField] ?? '')
  return text.length < MAX_CHECKED_TEXT && (local === undefined || local.base64 !== undefined)
}

/** Hook: what the real rules say of a draft. */
const useDryRun = (operation: OperationRecord, draft: Draft) => {
  const { id, fileField } = operation
  const { [fileField ?? '']: name, ...fields } = withoutEmpty(draft.form)
  const base64 = fileNamed(name ?? '')?.base64
  const file = base64 === undefined ? { fixture: name } : { file: { name: name ?? '', base64 } }
  const content = fileField === null ? { text: draft.text } : { fields, ...file }
  const { params, query } = draft
  const headers = Object.fromEntries(headerLines(headersText(draft, operation)))
  const call = { operation: id as OperationName, params, query: withoutEmpty(query), key: '', headers }
  const input = isSmall(operation, draft) ? { ...call, ...content } : call
  // The answer depends on what the account has, too.
  const text = JSON.stringify(input)
  const fetched = useFetch('dry-run', input, [text, requests.value[0]?.id, scenarios.value])
  return { ...fetched, isOfDraft: JSON.stringify(fetched.input) === text }
}
