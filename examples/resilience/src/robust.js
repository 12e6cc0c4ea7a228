import { createHash } from 'node:crypto'
import { playsThrough } from './plays-through.js'

// The words that services of this kind use, whatever their case.
const SUCCEEDED = ['succeeded', 'success', 'completed']
const ENDED = ['failed', 'failure', 'error', 'cancelled', 'canceled', 'expired']
const MAX_ORDERS = 3
const MAX_TRIES = 8
const MAX_DOWNLOADS = 5
const DEADLINE_MS = 30 * 60_000

/**
 * A client that knows that answers get lost. An order has a reference of its own, so that a create without an answer is
 * looked for in the list of tasks before it is sent again. Every call has a time limit, every wait an end.
 * `stallMs` limits how long a download may stand still, and `transferMs` how long all its bytes may take.
 */
export const createRobustClient = ({ baseUrl, apiKey, sleep, ...limits }) => {
  const { timeoutMs = 30_000, stallMs = 10_000, transferMs = 10 * 60_000 } = limits
  const tasks = `${baseUrl}/contents/generations/tasks`
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  // Tasks of which a callback has come since they were asked for.
  const news = new Set()
  // The tasks of the files that were kept, by their hashes.
  const kept = new Map()

  const makeVideo = async ({ prompt, reference, callbackUrl }) => {
    for (let orders = 1; ; orders += 1) {
      // A reference of its own, by which a create without an answer finds this order and not one that failed.
      const id = await create(prompt, orders === 1 ? reference : `${reference}-${orders}`, callbackUrl)
      try {
        return await fetchResult(id, await waitFor(id, callbackUrl === undefined ? 5_000 : 60_000))
      } catch (error) {
        // A task that failed by no fault of the order costs nothing.
        if (error.code !== 'InternalServiceError' || orders === MAX_ORDERS) throw error
      }
    }
  }

  /**
   * Takes the body of a callback, and returns the status to answer with. A callback is a hint to ask sooner: what it says
   * is not believed, and one that never comes costs a minute.
   */
  const receive = (body) => {
    const id = jsonOf(body)?.id
    if (id !== undefined) news.add(id)
    return id === undefined ? 400 : 204
  }

  /** Creates the task of an order once, whatever becomes of the answers. */
  const create = async (prompt, reference, callbackUrl) => {
    const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: prompt }] }
    const film = { ...order, duration: 4, resolution: '480p', safety_identifier: reference }
    const body = JSON.stringify({ ...film, callback_url: callbackUrl })
    for (let tries = 1; ; tries += 1) {
      const { status, body: answer, retryAfterMs } = await ask(tasks, { method: 'POST', body })
      if (status === 200 && typeof answer?.id === 'string') return answer.id
      if (isRefusal(status, answer)) throw refusal(answer.error)
      // Whether a task was made is unknown where the answer is not the service's own.
      const made = answer?.error === undefined ? await find(reference) : undefined
      if (made !== undefined) return made.id
      if (tries === MAX_TRIES)
        throw refusal(answer?.error ?? { message: 'The service does not take the order.' })
      await sleep(retryAfterMs ?? backOff(tries))
    }
  }

  const find = async (reference) => {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const { status, body } = await ask(`${tasks}?page_size=100`)
      if (status === 200 && Array.isArray(body?.items))
        return body.items.find((task) => task.safety_identifier === reference)
      await sleep(backOff(tries))
    }
    throw new Error('The service does not say which tasks there are.')
  }

  /** Asks for a task once. An answer that says nothing of it has no task. Throws where the key does not count. */
  const read = async (id) => {
    const { status, body, retryAfterMs } = await ask(`${tasks}/${id}`)
    if (status === 401 || status === 403) throw refusal(body?.error ?? { message: 'The key does not count.' })
    if (status !== 200 || typeof body?.status !== 'string') return { error: body?.error, retryAfterMs }
    return { task: body, word: body.status.toLowerCase() }
  }

  /** Asks until the task is over. A word that is not known is no end, and one bad answer neither. */
  const waitFor = async (id, betweenMs = 5_000) => {
    let failures = 0
    for (let waited = 0; waited < DEADLINE_MS; ) {
      const { task, word, error, retryAfterMs } = await read(id)
      if (SUCCEEDED.includes(word)) return task
      if (ENDED.includes(word)) throw refusal(task.error ?? { message: `The task is ${word}.` })
      const isUnread = task === undefined
      failures = isUnread ? failures + 1 : 0
      if (failures === MAX_TRIES) throw refusal(error ?? { message: `The task ${id} cannot be read.` })
      waited += isUnread ? await slept(retryAfterMs ?? backOff(failures)) : await pause(betweenMs, id)
    }
    await ask(`${tasks}/${id}`, { method: 'DELETE' })
    throw new Error(`The task ${id} takes too long.`)
  }

  /** Waits so long, or until there is news of a task. Returns how long it was. */
  const pause = async (ms, id) => {
    let waited = 0
    while (waited < ms && !news.has(id)) waited += await slept(5_000)
    news.delete(id)
    return waited
  }

  const slept = async (ms) => {
    await sleep(ms)
    return ms
  }

  /** Downloads until the file is whole and can be played. The URL is asked for again where it does not serve. */
  const fetchResult = async (id, task) => {
    let url = task.content?.video_url
    for (let tries = 1; tries <= MAX_DOWNLOADS; tries += 1) {
      const bytes = url === undefined ? undefined : await download(url)
      if (bytes !== undefined && (await playsThrough(bytes)) && isOf(id, bytes)) return { url, bytes }
      await sleep(backOff(tries))
      if (bytes === undefined) url = (await waitFor(id)).content?.video_url ?? url
    }
    throw new Error(`The result of ${id} cannot be had.`)
  }

  /** Whether no other task has brought the same file: two orders with one film are a film too few. */
  const isOf = (id, bytes) => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    if (!kept.has(hash)) kept.set(hash, id)
    return kept.get(hash) === id
  }

  const download = async (url) => {
    const control = new AbortController()
    let timer = setTimeout(() => control.abort(), stallMs)
    try {
      const file = await fetch(url, { signal: control.signal })
      if (file.status !== 200) return undefined
      const [begin, parts] = [performance.now(), []]
      for await (const part of file.body) {
        clearTimeout(timer)
        timer = setTimeout(() => control.abort(), stallMs)
        parts.push(part)
        // Another try would be as slow.
        if (performance.now() - begin > transferMs)
          throw new TooSlow(`The download of ${url} takes too long.`)
      }
      return new Uint8Array(Buffer.concat(parts))
    } catch (error) {
      if (error instanceof TooSlow) throw error
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  /** Sends a call. What is no JSON, or never came, has no body. */
  const ask = async (url, init = {}) => {
    try {
      const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) })
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
      const retryAfterMs = Number.isNaN(seconds) ? undefined : seconds * 1_000 + 100
      return { status: answer.status, body: jsonOf(await answer.text()), retryAfterMs }
    } catch {
      return { status: 0 }
    }
  }

  return { makeVideo, receive }
}

class TooSlow extends Error {}

const jsonOf = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// A refusal in the service's own words, that trying again does not mend.
const isRefusal = (status, body) => status >= 400 && status < 429 && body?.error !== undefined

const backOff = (tries) => Math.min(60_000, 500 * 2 ** tries)

const refusal = ({ message, code }) => Object.assign(new Error(message), { code })
