const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const ask = async (path, init) => {
  const response = await fetch(`${process.env.STUDIO_API_BASE}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${process.env.STUDIO_API_KEY}`, 'content-type': 'application/json' },
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}

const post = (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) })

/** Resolves with the URL of a picture. */
const makePicture = async (prompt, size = '768*512') => {
  const { output } = await post('/provA/api/v1/services/aigc/multimodal-generation/generation', {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
    parameters: { size },
  })
  return output.choices[0].message.content[0].image
}

/** Resolves with the URL of a video that begins with a picture of the asset library. */
const animate = async (assetId, prompt, { pauseMs = 2_000 } = {}) => {
  const { id } = await post('/v1/videos', {
    model: 'videoa-2-0-fast-260128',
    media: [
      { type: 'text', text: prompt },
      { type: 'first_frame', url: `asset://${assetId}` },
    ],
    seconds: '4',
    size: '480p',
  })
  for (;;) {
    const video = await ask(`/v1/videos/${id}`)
    if (video.status === 'succeeded') return video.content.video_url
    if (video.status === 'failed') throw new Error(video.error.message)
    await pause(pauseMs)
  }
}

module.exports = { animate, makePicture }
