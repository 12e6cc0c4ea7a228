const ENDED = ['succeeded', 'failed', 'cancelled', 'expired']

/** Faults that can be planted. Each keeps the film coming, so that a test of the film does not notice it. */
export const faults = [
  'orders-blindly',
  'hurries',
  'keeps-what-came',
  'polls-on',
  'fetches-for-each-callback',
]

/**
 * A pipeline: it orders a film, hears by a query or a callback that it is made, downloads it, and keeps it in `films`.
 * `pause` waits so many milliseconds. `planted` is one of the faults; without it the pipeline behaves.
 */
export const createPipeline = ({ baseUrl, apiKey, callbackUrl, pause, planted }) => {
  const tasks = `${baseUrl}/contents/generations/tasks`
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const films = new Map()
  const heardOf = new Set()

  /** Orders a film once, whatever becomes of the answer, and resolves with the id of its task. */
  const order = async (prompt, reference) => {
    const content = [{ type: 'text', text: prompt }]
    const film = { model: 'videoa-2-0-260128', content, resolution: '480p', duration: 4 }
    const body = JSON.stringify({ ...film, safety_identifier: reference, callback_url: callbackUrl })
    for (;;) {
      const answer = await fetch(tasks, { method: 'POST', headers, body }).catch(() => undefined)
      if (answer?.status === 200) return (await answer.json()).id
      // The order may have been taken, though its answer was lost.
      const id = answer === undefined ? await find(reference) : await waitAfter(answer)
      if (id !== undefined) return id
    }
  }

  /** The id of the task of an order, as the list of tasks has it. */
  const find = async (reference) => {
    if (planted === 'orders-blindly') return undefined
    const { items } = await (await fetch(tasks, { headers })).json()
    return items.find((task) => task.safety_identifier === reference)?.id
  }

  /** Waits as long as a busy service asks. Throws where it refuses for another reason. */
  const waitAfter = async (answer) => {
    if (answer.status !== 429) throw new Error((await answer.json()).error.message)
    await answer.arrayBuffer()
    await pause(planted === 'hurries' ? 1 : Number(answer.headers.get('retry-after')) * 1_000)
  }

  const query = async (id) => (await fetch(`${tasks}/${id}`, { headers })).json()

  /** Queries a task until it is over, and keeps its film. */
  const follow = async (id) => {
    for (;;) {
      const task = await query(id)
      if (ENDED.includes(task.status)) {
        if (planted === 'polls-on') for (let further = 0; further < 5; further += 1) await query(id)
        return keep(task)
      }
      await pause(5_000)
    }
  }

  /** Takes the body of a callback. It is a hint, which may come more than once: a query says what has become of the task. */
  const receive = async ({ id, status }) => {
    if (!ENDED.includes(status)) return
    if (heardOf.has(id) && planted !== 'fetches-for-each-callback') return
    heardOf.add(id)
    await keep(await query(id))
  }

  const keep = async ({ id, status, content, error }) => {
    if (status !== 'succeeded') throw new Error(error?.message ?? `The task is ${status}.`)
    for (;;) {
      const { bytes, isWhole } = await download(content.video_url)
      if (isWhole || planted === 'keeps-what-came') return films.set(id, bytes)
    }
  }

  return { order, follow, receive, films }
}

/** Downloads a file: what has come of it, and whether that is all. */
const download = async (url) => {
  const answer = await fetch(url)
  const parts = []
  try {
    for await (const part of answer.body) parts.push(part)
  } catch {
    // The connection has ended too early.
  }
  const bytes = Buffer.concat(parts)
  return { bytes, isWhole: bytes.length === Number(answer.headers.get('content-length')) }
}
