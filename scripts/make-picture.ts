import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { startEmulator } from '../src/index.js'

/** Draws the picture of the README: `npx tsx scripts/make-picture.ts`. */

const emulator = await startEmulator({ timing: 'instant' })

const response = await fetch(`${emulator.url}/provA/api/v1/services/aigc/multimodal-generation/generation`, {
  method: 'POST',
  headers: { authorization: 'Bearer readme' },
  body: JSON.stringify({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'A film studio at dusk, 黄昏的片场' }] }] },
    parameters: { size: '1024*512', seed: 7, watermark: true },
  }),
})
if (!response.ok) throw new Error(await response.text())
const { output } = (await response.json()) as {
  output: { choices: [{ message: { content: [{ image: string }] } }] }
}
const picture = await (await fetch(output.choices[0].message.content[0].image)).arrayBuffer()
const small = await sharp(picture).png({ palette: true }).toBuffer()
await writeFile('docs/images/picture.png', small)
await emulator.stop()
