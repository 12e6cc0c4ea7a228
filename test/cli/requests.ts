const headers = { authorization: 'Bearer secret-key', 'content-type': 'application/json' }

/** A text-to-image call (§A). */
export const createImage = (url: string, parameters: object = {}): Promise<Response> =>
  fetch(`${url}/provA/api/v1/services/aigc/multimodal-generation/generation`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] },
      parameters,
    }),
  })

/** A text-to-video call (§B). */
export const createVideo = (url: string, change: object = {}): Promise<Response> =>
  fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      model: 'videoa-2-0-260128',
      content: [{ type: 'text', text: 'A lighthouse' }],
      duration: 5,
      ...change,
    }),
  })

/** A call of the control API, for the account of the calls above. */
export const control = (url: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/_backlot${path}`, { ...init, headers: { ...headers, ...init.headers } })
