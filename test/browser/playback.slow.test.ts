import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../src/index.js'
import { plain } from '../emulator/media/render/pixels.js'
import { browserPath } from './browser-path.js'
import { BROWSER_MS, openPage } from './open-page.js'

/** The URL of a video of family B that begins with a red frame. */
const videoUrl = async (): Promise<string> => {
  const emulator = await startEmulator({ timing: 'instant' })
  onTestFinished(() => emulator.stop())
  const red = (await plain(640, 360, '#d02030')).toString('base64')
  const tasks = `${emulator.url}/provB/api/v3/contents/generations/tasks`
  const headers = { authorization: `Bearer ${emulator.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({
    model: 'videoa-2-0-260128',
    content: [
      { type: 'text', text: 'A lighthouse in the fog' },
      { type: 'image_url', role: 'first_frame', image_url: { url: `data:image/png;base64,${red}` } },
    ],
    ...{ resolution: '720p', ratio: '16:9', duration: 5, generate_audio: true },
  })
  const { id } = (await (await fetch(tasks, { method: 'POST', headers, body })).json()) as { id: string }
  const read = await fetch(`${tasks}/${id}`, { headers })
  return ((await read.json()) as { content: { video_url: string } }).content.video_url
}

interface Seen {
  readonly middle: readonly [number, number, number]
  readonly street: string
}

/** A page of another site, with a player in it (`player.js`). */
const openPlayer = async () => {
  const page = await openPage()
  await page.addScriptTag({ path: 'test/browser/player.js' })
  return {
    load: (url: string) => page.evaluate(`load(${JSON.stringify(url)})`),
    seenAt: (seconds: number) => page.evaluate<Seen>(`seenAt(${seconds})`),
    playToEnd: () => page.evaluate('playToEnd()'),
  }
}

test.skipIf(browserPath === undefined)(
  'a browser plays a video across origins, seeks in it, and comes to its end',
  async () => {
    const player = await openPlayer()
    expect(await player.load(await videoUrl())).toEqual({ seconds: 5, width: 1280, height: 720 })
    const first = await player.seenAt(0.1)
    for (const [channel, value] of [0xd0, 0x20, 0x30].entries())
      expect(Math.abs((first.middle[channel] ?? 0) - value)).toBeLessThan(6)
    const [third, later, fifth] = [
      await player.seenAt(2.02),
      await player.seenAt(2.27),
      await player.seenAt(4.02),
    ]
    expect(third.middle).not.toEqual(first.middle)
    expect(fifth.middle).toEqual(third.middle)
    expect([later.street === third.street, fifth.street === third.street]).toEqual([false, true])
    expect(await player.playToEnd()).toEqual({ at: 5, error: null })
  },
  BROWSER_MS,
)
