const base = process.env.VIDEO_API_BASE

export interface Video {
  readonly id: string
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'
  readonly content?: { readonly video_url: string }
}

const ask = async <T>(path: string, apiKey: string, body?: object): Promise<T> => {
  const response = await fetch(`${base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as T & { readonly message?: string }
  if (!response.ok) throw new Error(answer.message)
  return answer
}

export const createVideo = (apiKey: string, text: string, seconds = '5'): Promise<Video> =>
  ask('/videos', apiKey, { model: 'videoa-2-0-fast-260128', media: [{ type: 'text', text }], seconds })

export const readVideo = (apiKey: string, id: string): Promise<Video> => ask(`/videos/${id}`, apiKey)
