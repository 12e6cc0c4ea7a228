/** A client that takes every answer for a good one and tries nothing again. */
export const createNaiveClient = ({ baseUrl, apiKey, sleep }) => {
  const tasks = `${baseUrl}/contents/generations/tasks`
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  // The tasks as callbacks have told them.
  const told = new Map()

  const makeVideo = async ({ prompt, callbackUrl }) => {
    const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: prompt }] }
    const body = JSON.stringify({ ...order, duration: 4, resolution: '480p', callback_url: callbackUrl })
    const created = await fetch(tasks, { method: 'POST', headers, body })
    const { id, error } = await created.json()
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    for (let asked = 0; asked < 500 || callbackUrl === undefined; asked += 1) {
      const task = callbackUrl
        ? (told.get(id) ?? {})
        : await (await fetch(`${tasks}/${id}`, { headers })).json()
      if (task.status === 'failed')
        throw Object.assign(new Error(task.error.message), { code: task.error.code })
      if (task.status === 'succeeded') return download(task.content.video_url)
      await sleep(5_000)
    }
    throw new Error('No callback has come.')
  }

  /** Takes the body of a callback, and returns the status to answer with. Every word of it is believed. */
  const receive = (body) => {
    const task = JSON.parse(body)
    told.set(task.id, task)
    return 204
  }

  // The film is announced as soon as there is a name for it; its bytes can be fetched later.
  const download = async (url) => {
    try {
      const file = await fetch(url)
      return { url, bytes: new Uint8Array(await file.arrayBuffer()) }
    } catch {
      return { url, bytes: new Uint8Array() }
    }
  }

  return { makeVideo, receive }
}
