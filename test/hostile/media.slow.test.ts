import { afterAll, beforeAll, expect, test } from 'vitest'
import { inShapeOf, post } from './asked.js'
import { lyingImages, lyingSounds, lyingVideos } from './inputs/media.js'
import { openTarget, type Target } from './target.js'

let target: Target
beforeAll(async () => {
  target = await openTarget({ timing: 'instant' })
})
afterAll(async () => {
  await target.close()
  expect(target.bugs).toEqual([])
})

const IMAGES = '/provA/api/v1/services/aigc/multimodal-generation/generation'
const VIDEOS = '/provC/v2/video_generation'

const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`

const editing = (image: string) =>
  JSON.stringify({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, { image }] }] },
  })

const referring = (item: object) =>
  JSON.stringify({
    model: 'gamma-H3',
    duration: 5,
    content: [{ type: 'text', text: 'a lighthouse' }, item],
  })

test.each(lyingImages)('$name is refused, or drawn from as far as it goes', async ({ type, bytes }) => {
  const answer = await post(target, IMAGES, editing(dataUrl(type, bytes())))
  expect([200, 400]).toContain(answer.status)
  if (answer.status === 400) return void inShapeOf('a-image', answer)
  const url = JSON.parse(answer.text).output.choices[0].message.content[0].image
  const result = await fetch(url.replace('http://backlot.test', `http://127.0.0.1:${target.port}`))
  expect([result.status, result.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await result.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
})

test.each([
  ...lyingImages.map((medium) => ({ ...medium, kind: 'image_url', role: 'reference_image' })),
  ...lyingVideos.map((medium) => ({ ...medium, kind: 'video_url', role: 'reference_video' })),
  ...lyingSounds.map((medium) => ({ ...medium, kind: 'audio_url', role: 'reference_audio' })),
])('$name as $role is refused or taken, and never a failure', async ({ type, bytes, kind, role }) => {
  const item = { type: kind, [kind]: { url: dataUrl(type, bytes()) }, role }
  const answer = await post(target, VIDEOS, referring(item))
  expect([200, 400]).toContain(answer.status)
  if (answer.status === 400) inShapeOf('f-video-v2', answer)
})

test.each([
  ['characters that Base64 does not have', 'data:image/png;base64,%%%%'],
  ['Base64 that ends in the middle', 'data:image/png;base64,iVBORw0KGgo'],
  ['nothing behind the comma', 'data:image/png;base64,'],
  ['no comma', 'data:image/png;base64'],
  ['a type of no kind', 'data:;base64,AAAA'],
  ['a long type', `data:${'x'.repeat(100_000)};base64,AAAA`],
  ['padding in the middle', 'data:image/png;base64,AA==AAAA'],
  ['text that is not Base64', 'data:image/png,hello'],
  // With a pattern that backtracks, these would take from minutes to hours.
  ['spaces before a wrong character', `data:image/png;base64,${' '.repeat(400_000)}!`],
  ['spaces before a wrong character in a large body', `data:image/png;base64,${' '.repeat(1_000_000)}!`],
  [
    'spaces before and behind padding',
    `data:image/png;base64,A${' '.repeat(200_000)}=${' '.repeat(200_000)}!`,
  ],
])('%s in place of an image is refused', async (_, url) => {
  const answer = await post(target, IMAGES, editing(url))
  expect(answer.status).toBe(400)
  inShapeOf('a-image', answer)
})

test.each([...lyingImages, ...lyingVideos, ...lyingSounds])(
  '$name as an upload becomes a job that fails or is done',
  async ({ bytes }) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes())]), 'lying.png')
    const home = `http://127.0.0.1:${target.port}`
    const headers = { Authorization: 'Bearer hostile' }
    const answer = await fetch(`${home}/v1/asset/upload`, { method: 'POST', body: form, headers })
    expect([200, 400]).toContain(answer.status)
    if (answer.status === 400) return
    const { data } = (await answer.json()) as { data: { task_id: string } }
    const job = await fetch(`${home}/v1/asset/jobs/get-asset-id?task_id=${data.task_id}`)
    expect(((await job.json()) as { data: { status: string } }).data.status).toMatch(
      /^(Active|Failed|Processing)$/,
    )
  },
)
