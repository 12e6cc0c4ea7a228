import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { startEmulator } from '../src/index.js'

/** Draws the pictures of the README: `npx tsx scripts/make-picture.ts`. */

const emulator = await startEmulator({ timing: 'instant' })

const ask = async (path: string, body?: object): Promise<unknown> => {
  const headers = { authorization: 'Bearer readme' }
  const order = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(emulator.url + path, { headers, ...order })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

const keep = async (url: string, name: string): Promise<void> => {
  const picture = await (await fetch(url)).arrayBuffer()
  const small = await sharp(picture).resize(1000).png({ palette: true }).toBuffer()
  await writeFile(`docs/images/${name}`, small)
}

const { output } = (await ask('/provA/api/v1/services/aigc/multimodal-generation/generation', {
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'A film studio at dusk, 黄昏的片场' }] }] },
  parameters: { size: '1600*800', seed: 7, watermark: true },
})) as { output: { choices: [{ message: { content: [{ image: string }] } }] } }
await keep(output.choices[0].message.content[0].image, 'picture.png')

const tasks = '/provB/api/v3/contents/generations/tasks'
const { id } = (await ask(tasks, {
  model: 'videoa-2-0-260128',
  content: [
    { type: 'text', text: 'A slow dolly shot along the coast, 海边的灯塔' },
    {
      type: 'image_url',
      role: 'reference_image',
      image_url: { url: `${emulator.url}/_backlot/fixtures/landscape.jpg` },
    },
  ],
  resolution: '720p',
  ratio: '16:9',
  duration: 5,
  seed: 3,
  watermark: true,
  return_last_frame: true,
})) as { id: string }
const { content } = (await ask(`${tasks}/${id}`)) as { content: { last_frame_url: string } }
await keep(content.last_frame_url, 'frame.png')
await emulator.stop()
