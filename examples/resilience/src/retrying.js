const MAX_TRIES = 4

/** A client that does everything again that did not go well: creates too. */
export const createRetryingClient = ({ baseUrl, apiKey, sleep, timeoutMs = 30_000 }) => {
  const tasks = `${baseUrl}/contents/generations/tasks`
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  // The tasks that are its own, as callbacks have told them.
  const told = new Map()

  const makeVideo = ({ prompt, callbackUrl }) => {
    const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: prompt }] }
    const body = JSON.stringify({ ...order, duration: 4, resolution: '480p', callback_url: callbackUrl })
    return again(async () => {
      const { id } = await ask(tasks, { method: 'POST', body, headers: { 'Idempotency-Key': keyOf(prompt) } })
      if (id === undefined) throw new Error('The answer has no id.')
      told.set(id, {})
      for (let poll = 0; poll < 100; poll += 1) {
        const task = callbackUrl ? told.get(id) : await again(() => ask(`${tasks}/${id}`))
        if (task.status === 'succeeded') return again(() => download(task.content.video_url))
        if (task.status === 'failed') throw refusal(task.error)
        await sleep(5_000)
      }
      throw new Error('The task takes too long.')
    })
  }

  /** Takes the body of a callback, and returns the status to answer with. A task that it has not heard of is not its own. */
  const receive = (body) => {
    const task = JSON.parse(body)
    if (!told.has(task.id)) return 404
    told.set(task.id, task)
    return 204
  }

  const ask = async (url, init = {}) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { ...init, signal, headers: { ...headers, ...init.headers } })
    const body = await answer.json()
    if (!answer.ok) throw refusal(body.error ?? {}, answer.status)
    return body
  }

  const download = async (url) => {
    const file = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    if (!file.ok) throw new Error(`The download was answered with ${file.status}.`)
    return { url, bytes: new Uint8Array(await file.arrayBuffer()) }
  }

  const again = async (attempt) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (tries === MAX_TRIES || error.isFinal) throw error
        await sleep(100)
      }
    }
  }

  return { makeVideo, receive }
}

// A key that the service does not know: it protects from nothing.
const keyOf = (prompt) => `video-${prompt}`

const refusal = ({ message = 'refused', code }, status = 400) =>
  Object.assign(new Error(message), { code, isFinal: status < 429 })
