const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Has a character act what a prompt says, and resolves with the URL of the video. Reads its settings when it is called. */
export const makeReferenceVideo = async (
  prompt,
  character,
  { pauseMs = 2_000, onProgress = () => {} } = {},
) => {
  const { VIDEO_API_BASE: base, VIDEO_API_KEY: key } = process.env
  const headers = { authorization: key, 'content-type': 'application/json' }
  const created = await fetch(`${base}/videos`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      model: 'beta2.7-r2v',
      prompt,
      subject_reference: [{ type: 'character', image: [character] }],
      size: '720P',
      seconds: '5',
    }),
  })
  const { id, error } = await created.json()
  if (error) throw new Error(error.message)
  for (;;) {
    const video = await (await fetch(`${base}/videos/${id}`, { headers })).json()
    onProgress(video.progress)
    if (video.status === 'succeeded') return video.url
    if (video.status === 'failed') throw new Error(video.error.message)
    await pause(pauseMs)
  }
}
