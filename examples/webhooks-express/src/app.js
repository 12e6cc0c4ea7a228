import express from 'express'

/**
 * An application that orders videos and hears by webhook how they are getting on.
 * `publicUrl` is where the service reaches it.
 */
export const createApp = ({ serviceUrl, apiKey, publicUrl }) => {
  const films = new Map()
  const seen = new Set()
  const app = express().use(express.json())

  app.post('/films', async (request, response) => {
    const ordered = await fetch(`${serviceUrl}/video_generation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gamma-H3',
        content: [{ type: 'text', text: request.body.prompt }],
        duration: 5,
        callback_url: `${publicUrl()}/hook`,
      }),
    })
    const { output, error } = await ordered.json()
    if (error) return response.status(502).json({ problem: error.message })
    // The first callback can come before this answer has been read.
    const film = films.get(output.task_id) ?? { status: 'ordered', heard: [] }
    films.set(output.task_id, film)
    response.status(201).json({ id: output.task_id })
  })

  app.get('/films/:id', (request, response) => {
    const film = films.get(request.params.id)
    if (film === undefined) response.sendStatus(404)
    else response.json(film)
  })

  app.post('/hook', (request, response) => {
    const { challenge, task } = request.body
    if (challenge !== undefined) return response.json({ challenge })
    const delivery = request.get('x-backlot-delivery-id')
    const film = films.get(task.id) ?? { status: 'ordered', heard: [] }
    films.set(task.id, film)
    // A delivery that was answered too late comes once more.
    if (!seen.has(delivery)) {
      seen.add(delivery)
      film.status = task.status
      film.heard.push(task.status)
      if (task.status === 'succeeded') film.url = task.content.url
    }
    response.sendStatus(204)
  })

  return app
}
