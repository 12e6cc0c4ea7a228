const ENDED = ['succeeded', 'failed', 'cancelled', 'expired']

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What the service said instead of doing it. */
export class VideoError extends Error {
  constructor({ code, message }) {
    super(message)
    this.code = code
  }
}

/** Orders videos from the service. */
export const createVideoClient = ({ baseUrl, apiKey, pauseMs = 2_000, attempts = 3 }) => {
  const ask = async (method, path, body) => {
    const response = await fetch(`${baseUrl}/contents/generations/tasks${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, answer: await response.json() }
  }

  const askPatiently = async (...call) => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, answer } = await ask(...call)
      if (status === 200) return answer
      const isWorthAnother = (status === 429 || status >= 500) && attempt < attempts
      if (!isWorthAnother) throw new VideoError(answer.error)
      await pause(pauseMs)
    }
  }

  /** Resolves with the URL of the video. Throws a VideoError when there will be none. */
  const makeVideo = async (prompt) => {
    const { id } = await askPatiently('POST', '', {
      model: 'videoa-2-0-260128',
      content: [{ type: 'text', text: prompt }],
      resolution: '480p',
      duration: 4,
    })
    for (;;) {
      const task = await askPatiently('GET', `/${id}`)
      if (task.status === 'succeeded') return task.content.video_url
      if (ENDED.includes(task.status))
        throw new VideoError(task.error ?? { message: `The task is ${task.status}.` })
      await pause(pauseMs)
    }
  }

  return { makeVideo }
}
