import { expect, test } from 'vitest'
import { backlot, started } from '../cli/backlot.js'
import { createVideo } from '../cli/requests.js'

test.skipIf(process.platform !== 'linux')(
  'an emulator whose log meets a full disk answers, says so once, and stops cleanly',
  async () => {
    const emulator = await started(['--log-file', '/dev/full'])
    expect((await createVideo(emulator.url)).status).toBe(200)
    expect((await createVideo(emulator.url)).status).toBe(200)
    emulator.process.kill('SIGTERM')
    const { code, err } = await emulator.ended
    expect(code).toBe(0)
    expect(err).toBe(
      'backlot: The log cannot be written: /dev/full: no space is left on the device.\nIt is tried again with the next line.\n',
    )
  },
)

test.skipIf(process.platform === 'win32')(
  'an emulator whose log goes to a pipe that nobody reads stops cleanly',
  async () => {
    const running = backlot(['start', '--port', '0', '--json', '--log-file', '-'])
    const { url } = JSON.parse(await running.line((line) => line.includes('"event":"ready"')))
    running.process.stdout?.destroy()
    for (let call = 0; call < 3; call += 1) expect((await createVideo(url)).status).toBe(200)
    running.process.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
  },
)
