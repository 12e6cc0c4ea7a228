import { useRef, useState } from 'preact/hooks'
import { pathMatcher } from '../../emulator/surface/paths.js'
import type { OperationRecord } from '../../generated/control-api.js'
import { router, showNotice } from '../app.js'
import { parseCurl } from '../state/curl.js'
import { type Draft, defaultHeaders } from '../state/draft.js'
import { accountKey, setDraft } from './console-send.js'

/** Field that takes a command of curl and makes a draft of it. */
export const PasteCurl = ({ operations }: { operations: readonly OperationRecord[] }) => {
  const [problem, setProblem] = useState('')
  const details = useRef<HTMLDetailsElement>(null)
  const take = (field: HTMLTextAreaElement): void => {
    const command = field.value
    try {
      if (command.trim() !== '') openCurl(command, operations)
      field.value = ''
      setProblem('')
      if (command.trim() !== '' && details.current !== null) details.current.open = false
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <details ref={details} class="paste-curl">
      <summary>Paste a curl</summary>
      <textarea
        class="code"
        aria-label="Command of curl"
        rows={4}
        spellcheck={false}
        placeholder="curl -X POST http://… -d '{…}'"
        onInput={({ currentTarget }) => take(currentTarget)}
      />
      {problem !== '' && (
        <p class="problem" role="status">
          {problem}
        </p>
      )}
    </details>
  )
}

const OWN_HEADERS = /^(authorization|accept|user-agent|host|content-length)$/i

/** Opens the call of a command, with the key of the account in place of its own. @throws Error with a sentence */
const openCurl = (command: string, operations: readonly OperationRecord[]): void => {
  const { method, path, query, headers, body, form = {} } = parseCurl(command)
  const operation = operations.find(
    (one) => one.method === method && pathMatcher(one.path)(path) !== undefined,
  )
  if (operation === undefined) throw new Error(`No operation has the route ${method} ${path}.`)
  const draft: Draft = { params: pathMatcher(operation.path)(path) ?? {}, query, text: indented(body), form }
  const usual = defaultHeaders(draft, accountKey(), operation.fileField !== null)
  const more = headers.filter(
    ([name]) => !OWN_HEADERS.test(name) && !(/^content-type$/i.test(name) && usual.includes('Content-Type')),
  )
  const lines = more.map(([name, value]) => `${name}: ${value}`)
  setDraft(operation.id, lines.length === 0 ? draft : { ...draft, headers: [usual, ...lines].join('\n') })
  router.go({ view: 'console', query: { operation: operation.id } })
  const isFileAsked = operation.fileField !== null && !form[operation.fileField]
  showNotice(
    `The console has the call, with the key of this account.`,
    isFileAsked ? 'Choose its file again: a page cannot read it.' : '',
  )
}

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
