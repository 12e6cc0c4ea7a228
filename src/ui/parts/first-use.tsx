import { api, sessionState, showNotice } from '../app.js'
import { Button } from './button.js'
import { CopyMenu } from './copy.js'

/** The request to paste, where an account has no traffic yet. */
export const FirstUse = () => {
  const key = sessionState.value.account?.key ?? 'my-key'
  const url = `${api.origin}/provB/api/v3/contents/generations/tasks`
  const body = `{"model":"videoa-2-0-260128","content":[{"type":"text","text":"a lighthouse in the fog"}]}`
  const command = `curl -s ${url} \\\n  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\\n  -d '${body}'`
  return (
    <div class="first-use">
      <h2>No call has arrived yet</h2>
      <p>Paste this into a terminal, or send it from here. The task that it makes shows up at once.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>{command}</pre>
      <div class="buttons">
        <Button class="primary" onClick={() => send(url, key, body)}>
          Send it for me
        </Button>
        <CopyMenu formats={[{ label: 'curl', textOf: () => command }]} />
      </div>
      <p class="quiet">
        Any API key opens an account of its own. <code>backlot start</code> has printed the paths for your
        client.
      </p>
    </div>
  )
}

const send = async (url: string, key: string, body: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const { status } = await fetch(url, { method: 'POST', headers, body })
  showNotice(`Sent as ${key}: it was answered with ${status}.`)
}
