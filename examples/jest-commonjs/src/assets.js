const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Uploads a file to the asset library, and resolves with the id under which requests can name it. */
const uploadAsset = async (file, name, { pauseMs = 1_000 } = {}) => {
  const base = process.env.ASSET_API_BASE
  const form = new FormData()
  form.append('file', new Blob([file]), name)
  const uploaded = await fetch(`${base}/asset/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.ASSET_API_KEY}` },
    body: form,
  })
  const { data, msg } = await uploaded.json()
  if (!uploaded.ok) throw new Error(msg)
  for (;;) {
    const job = await (await fetch(`${base}/asset/jobs/get-asset-id?task_id=${data.task_id}`)).json()
    if (job.code === 200) return job.data.asset_id
    if (job.data?.status === 'Failed') throw new Error(job.msg)
    await pause(pauseMs)
  }
}

module.exports = { uploadAsset }
