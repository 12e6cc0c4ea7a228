import { startEmulator } from './built.js'
import { median, medianTime, timed } from './measure.js'
import { emulatorWith, startProcess } from './process.js'
import { atMostMs, type Figure } from './report.js'

const ROUNDS = 9

const spawnToReady = async (args: readonly string[]): Promise<{ ms: number; stopMs: number }> => {
  let running: Awaited<ReturnType<typeof startProcess>> | undefined
  const ms = await timed(async () => {
    running = await startProcess(args)
  })
  const stopMs = await timed(async () => running?.stop())
  return { ms, stopMs }
}

/** From spawn to ready against the bare server, stopping, and a further emulator in a process that has had one. */
export const starting = async (): Promise<Figure[]> => {
  const ratios: number[] = []
  const stops: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const emulator = await spawnToReady(emulatorWith())
    const bare = await spawnToReady(['bench/bare.mjs'])
    ratios.push(emulator.ms / bare.ms)
    stops.push(emulator.stopMs)
  }
  const again = await medianTime(20, async () => {
    const emulator = await startEmulator()
    await emulator.stop()
  })
  return [
    { name: 'spawn to ready', value: median(ratios), unit: 'x bare', aim: { at: 'most', value: 1.5 } },
    atMostMs('stopping a process', median(stops), 200),
    atMostMs('a further start and stop in a process', again, 5),
  ]
}
