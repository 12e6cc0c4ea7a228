import { useState } from 'preact/hooks'
import { account, api, callbacks, router } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyValue } from '../parts/copy.js'
import { filters, hasFilter } from '../parts/filters.js'
import { JsonView } from '../parts/json.js'
import { ErrorMessage, Facts, Message, Scroll } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import type { ActionOutput } from '../state/api.js'
import { countOf } from '../state/format.js'

export const receiverHint = (): string =>
  `Send ${api.origin}/_backlot/inbox/any-name as callback_url: it passes the handshake and keeps what comes.`

/** Tabs of the view: what was sent, and what the built-in receiver has got. */
export const CallbackTabs = () => (
  <nav class="tabs" aria-label="Callbacks">
    <Link to={{ view: 'callbacks' }} isCurrent={!hasFilter('boxes')}>
      Sent
    </Link>
    <Link to={{ view: 'callbacks', query: { boxes: '1' } }} isCurrent={hasFilter('boxes')}>
      Boxes <span class="wide-only">of the built-in receiver</span> <kbd>b</kbd>
    </Link>
  </nav>
)

/** Boxes of the built-in receiver, and the messages of the one that is open. */
export const BoxesView = () => {
  const { inboxRevision } = account.value
  const { data, error } = useFetch('inbox.list', {}, [inboxRevision])
  const open = filters.value.box ?? data?.items[0]?.name ?? ''
  return (
    <div class="page">
      <div class="filters">
        <CallbackTabs />
        {data?.items.map(({ name, messages }) => (
          <Button key={name} isPressed={name === open} onClick={() => router.filter({ box: name })}>
            {name} <span class="quiet">{messages}</span>
          </Button>
        ))}
      </div>
      <ErrorMessage error={error} />
      {data?.items.length === 0 && (
        <Message text="No box has messages of this account." hint={receiverHint()} />
      )}
      {error === undefined && open !== '' && (
        <Messages key={`${account.value.tag} ${open}`} name={open} revision={inboxRevision} />
      )}
    </div>
  )
}

const Messages = ({ name, revision }: { name: string; revision: number }) => {
  const { data, error } = useFetch('inbox.read', { name }, [revision])
  if (error !== undefined) return <ErrorMessage error={error} />
  if (data === undefined) return null
  const newestFirst = data.items.map((message, index) => ({ message, index })).reverse()
  return (
    <Scroll label={`Box ${name}`} class="padded">
      {data.evicted > 0 && <p class="quiet">{countOf(data.evicted, 'older message')} evicted</p>}
      {newestFirst.map(({ message, index }, position) => (
        <BoxMessage key={index} message={message} isNewest={position === 0} />
      ))}
    </Scroll>
  )
}

type InboxMessage = ActionOutput<'inbox.read'>['items'][number]

/** A message: what it reports and when it came; opened, its headers and its body. The newest one begins open. */
const BoxMessage = ({ message, isNewest }: { message: InboxMessage; isNewest: boolean }) => {
  const { receivedAt, deliveryId, headers, body, signature } = message
  const [beginsOpen] = useState(isNewest)
  const callback = callbacks.value.find(({ id }) => id === deliveryId)
  return (
    <details class="inbox-message" open={beginsOpen}>
      <summary>
        <span class="inbox-subject">
          {callback === undefined
            ? (deliveryId ?? 'not from the emulator')
            : `${callback.status ?? callback.kind} of ${callback.taskId}`}
        </span>
        <Time at={receivedAt} />
      </summary>
      <Facts
        entries={[
          ['callback', callback && <Link to={{ view: 'callbacks', id: callback.id }}>{callback.id}</Link>],
          ['signature', signature],
        ]}
      />
      <h2>Headers</h2>
      <Facts entries={Object.entries(headers).map(([key, text]) => [key, <CopyValue value={text} />])} />
      <h2>Body</h2>
      <JsonView value={body} />
    </details>
  )
}
