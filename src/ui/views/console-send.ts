import { computed, signal } from '@preact/signals'
import type { ExplainedRequest, OperationRecord } from '../../generated/control-api.js'
import { api, invoke, sessionState } from '../app.js'
import { storedSignal } from '../signals.js'
import { type Draft, defaultHeaders, headerLines, requestDraft, targetOf } from '../state/draft.js'
import { fileNamed } from '../state/files.js'
import { withoutEmpty } from '../state/router.js'
import { type Answer, type HistoryItem, readAnswer, storedHistory, withItem } from '../state/sent.js'
import { DEFAULT_KEY } from '../state/session.js'

/** Drafts, answers and the history of the console, which outlive the view. */

const draftsText = storedSignal('backlot-drafts', '{}')
/** Drafts by operation. */
export const drafts = computed<Readonly<Record<string, Draft>>>(() => JSON.parse(draftsText.value))
export const setDraft = (operation: string, draft: Draft): void => {
  draftsText.value = JSON.stringify({ ...drafts.value, [operation]: draft })
}

/** The latest answer by operation. */
export const answers = signal<Readonly<Record<string, Answer>>>({})

const historyText = storedSignal('backlot-sent', '[]')
/** Calls that were sent from here, newest first. */
export const history = signal<readonly HistoryItem[]>(JSON.parse(historyText.peek()))
history.subscribe((items) => (historyText.value = JSON.stringify(storedHistory(items))))

/** The call that has no answer yet, or undefined where there is none. */
export const pending = signal<{ readonly operation: string; readonly cancel: () => void } | undefined>(
  undefined,
)

export const accountKey = (): string => sessionState.value.account?.key ?? DEFAULT_KEY

/** Headers of a draft as lines. */
export const headersText = (draft: Draft, { fileField }: OperationRecord): string =>
  draft.headers ?? defaultHeaders(draft, accountKey(), fileField !== null)

/**
 * Sends a call as a client would, and keeps its answer and its place in the history.
 * @param promised status that the dry run has named
 * @throws Error where another call has no answer yet, or a header or the file of the draft cannot be sent
 */
export const send = async (operation: OperationRecord, draft: Draft, promised?: number): Promise<Answer> => {
  if (pending.value !== undefined)
    throw new Error('It was not sent: the call before it has no answer yet. Wait for that, or cancel it.')
  const { id, method, fileField } = operation
  const isForm = fileField !== null
  const lines = headerLines(headersText(draft, operation))
  // The browser writes the type of a form itself, with the boundary of its parts.
  const headers = new Headers(
    lines.filter(([name]) => !(isForm && /^content-type$/i.test(name))).map(([...line]) => line),
  )
  const abort = new AbortController()
  pending.value = { operation: id, cancel: () => abort.abort() }
  try {
    const body = isForm ? await formData(draft.form, fileField) : draft.text
    const begun = performance.now()
    const answer = await fetch(api.origin + targetOf(operation, draft), {
      method,
      headers,
      signal: abort.signal,
      ...(method === 'GET' || body === '' ? {} : { body }),
    })
      .then((response) => readAnswer(response, URL.createObjectURL))
      .then((read) => ({ ...read, problem: '' }))
      .catch(() => withoutAnswer(abort.signal.aborted))
    const ms = Math.round(performance.now() - begun)
    forget(answers.value[id])
    const kept = { ...answer, ms, promised }
    answers.value = { ...answers.value, [id]: kept }
    const { status, requestId } = answer
    history.value = withItem(history.value, { at: Date.now(), operation: id, draft, status, ms, requestId })
    return kept
  } finally {
    pending.value = undefined
  }
}

/**
 * Sends a past request once more, with the key of the account. Resolves with the id of the new one; empty: there was no answer.
 * @throws Error where it is of no operation, its file is not known here, or another call has no answer yet
 */
export const sendAgain = async (request: ExplainedRequest): Promise<string> => {
  const { items } = await invoke('operations.list', {})
  const operation = items.find(({ id }) => id === request.operation)
  if (operation === undefined) throw new Error(`The request ${request.id} is of no operation of a family.`)
  const { requestId } = await send(operation, requestDraft(request, operation, accountKey()))
  return requestId
}

const withoutAnswer = (isCancelled: boolean): Omit<Answer, 'ms'> => ({
  problem: isCancelled
    ? 'The call was cancelled before its answer had come.'
    : 'The call got no answer: its connection was ended. The list of requests has it.',
  bytes: 0,
  headers: [],
  body: { kind: 'none' },
  requestId: '',
})

const forget = (answer: Answer | undefined): void => {
  if (answer?.body.kind === 'file') URL.revokeObjectURL(answer.body.url)
}

const formData = async (values: Draft['form'], fileField: string): Promise<FormData> => {
  const { [fileField]: name, ...fields } = withoutEmpty(values)
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  if (name !== undefined) {
    const file =
      fileNamed(name)?.file ?? (await (await api.request(`/fixtures/${encodeURIComponent(name)}`)).blob())
    form.set(fileField, file, name)
  }
  return form
}
