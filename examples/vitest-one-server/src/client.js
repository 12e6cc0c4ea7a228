// Read once, when this module is imported.
const { IMAGE_API_BASE, VIDEO_API_BASE } = process.env

const post = async (url, apiKey, body) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The service answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Resolves with the URLs of `n` pictures. */
export const makePictures = async (apiKey, prompt, n = 1) => {
  const { output } = await post(`${IMAGE_API_BASE}/services/aigc/multimodal-generation/generation`, apiKey, {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: prompt }] }] },
    parameters: { size: '768*512', n },
  })
  return output.choices[0].message.content.map(({ image }) => image)
}

/** Resolves with the id of the task. */
export const orderVideo = async (apiKey, prompt) => {
  const { output } = await post(`${VIDEO_API_BASE}/video_generation`, apiKey, {
    model: 'gamma-H3',
    content: [{ type: 'text', text: prompt }],
    duration: 4,
  })
  return output.task_id
}
