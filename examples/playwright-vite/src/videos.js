import { json } from 'node:stream/consumers'

/** The server of the app: it has the API key of the service, which no browser may see. */
export const createVideos = ({ baseUrl, apiKey }) => {
  const call = async (path, body) => {
    const response = await fetch(`${baseUrl}/contents/generations/tasks${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, answer: await response.json() }
  }

  const order = async (prompt) => {
    const content = [{ type: 'text', text: prompt }]
    const body = { model: 'videoa-2-0-260128', content, resolution: '480p', duration: 4 }
    const { status, answer } = await call('', body)
    return status === 200
      ? { status, body: { id: answer.id } }
      : { status: 502, body: { message: `No video today: ${answer.error.message}` } }
  }

  const read = async (id) => {
    const { status, answer } = await call(`/${encodeURIComponent(id)}`)
    if (status !== 200) return { status: 502, body: { message: answer.error.message } }
    const message = answer.error?.message ?? `The video is ${answer.status}.`
    return { status, body: { state: answer.status, url: answer.content?.video_url, message } }
  }

  return async (request, response) => {
    const [, id = ''] = request.url.split('/')
    const { status, body } =
      request.method === 'POST' ? await order((await json(request)).prompt) : await read(id)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}
