const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const video = document.querySelector('video')

const POLL_MS = 200

const ask = async (path, init) => {
  const response = await fetch(`/api/videos${path}`, init)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}

const makeVideo = async (prompt) => {
  const { id } = await ask('', { method: 'POST', body: JSON.stringify({ prompt }) })
  for (;;) {
    const { state, url, message } = await ask(`/${id}`)
    if (state === 'succeeded') return url
    if (state !== 'queued' && state !== 'running') throw new Error(message)
    status.textContent = `The video is ${state}.`
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  try {
    video.src = await makeVideo(new FormData(form).get('prompt'))
    video.hidden = false
    status.textContent = 'Here it is.'
  } catch (error) {
    status.textContent = error.message
  }
})
