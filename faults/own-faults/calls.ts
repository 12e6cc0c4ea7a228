import { setTimeout as pause } from 'node:timers/promises'

export interface Answer {
  /** 0 where no answer came. */
  readonly status: number
  readonly text: string
}

const headers = { authorization: 'Bearer own-faults', 'content-type': 'application/json' }

/** Asks on a connection of its own. Never rejects. */
export const get = async (url: string): Promise<Answer> => {
  try {
    const response = await fetch(url, {
      headers: { ...headers, connection: 'close' },
      signal: AbortSignal.timeout(60_000),
    })
    return { status: response.status, text: response.ok ? '' : await response.text() }
  } catch (error) {
    return { status: 0, text: String((error as Error).cause ?? error) }
  }
}

const post = async (url: string, body: object): Promise<Record<string, unknown>> => {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Record<string, unknown>
}

let count = 0

/** The URL of a picture that was never drawn before. */
export const newPicture = async (url: string): Promise<string> => {
  count += 1
  const made = await post(`${url}/provA/api/v1/services/aigc/multimodal-generation/generation`, {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: `picture ${count} ${process.pid}` }] }] },
    parameters: { size: '1024*1024' },
  })
  return /"image":"([^"]+)"/.exec(JSON.stringify(made))?.[1] ?? ''
}

/** The URL of a video that was never drawn before; the emulator has the timing `instant`. */
export const newVideo = async (url: string, seconds = 4): Promise<string> => {
  count += 1
  const tasks = `${url}/provB/api/v3/contents/generations/tasks`
  const { id } = await post(tasks, {
    model: 'videoa-2-0-260128',
    content: [{ type: 'text', text: `video ${count} ${process.pid}` }],
    duration: seconds,
    resolution: '720p',
  })
  const response = await fetch(`${tasks}/${id}`, { headers })
  return /"video_url":"([^"]+)"/.exec(await response.text())?.[1] ?? ''
}

/** Polls a condition, for half a minute at most. */
export const comesTrue = async (isTrue: () => boolean | Promise<boolean>): Promise<boolean> => {
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(50)) if (await isTrue()) return true
  return false
}
