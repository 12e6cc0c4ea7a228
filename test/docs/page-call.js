// Runs in a page: creates a task, reads it and its result as a front end does.
window.call = async ({ url, headers, body }) => {
  try {
    const created = await fetch(url, { method: 'POST', headers, body })
    const { id } = await created.json()
    const task = await (await fetch(`${url}/${id}`, { headers })).json()
    const result = await fetch(task.content.video_url, { method: 'HEAD' })
    return { status: task.status, requestId: created.headers.has('x-request-id'), media: result.ok }
  } catch (error) {
    return error.message
  }
}
