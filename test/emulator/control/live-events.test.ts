import { expect, onTestFinished, test, vi } from 'vitest'

// The emulator takes its timers from Node, so that tests of its users may replace the global ones. Here it gets those.
vi.mock('../../../src/emulator/timers.js', async (original) => ({
  ...(await original<typeof import('../../../src/emulator/timers.js')>()),
  setTimeout: (run: () => void, ms: number) => globalThis.setTimeout(run, ms),
  clearTimeout: (timer: NodeJS.Timeout) => globalThis.clearTimeout(timer),
}))

test('a minute after the last follower nothing is written any more, also of what was gathered just before', async () => {
  // Files share the modules of their worker: another one may have loaded them with Node's own timers.
  vi.resetModules()
  onTestFinished(() => void vi.resetModules())
  const { readSettings } = await import('../../../src/emulator/settings.js')
  const { createEmulator } = await import('../../../src/emulator/emulator.js')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const emulator = createEmulator(readSettings({ clock: 'paused' }))
  onTestFinished(() => emulator.stop())
  await emulator.store.read('default', () => {})
  const happen = () => emulator.events.emit('inbox', { account: 'default', name: 'box' })
  const live = await emulator.live()
  const unfollow = live.follow()
  // One that leaves before another one ends nothing.
  live.follow()()
  await vi.advanceTimersByTimeAsync(60_000)
  happen()
  await vi.advanceTimersByTimeAsync(100)
  expect(live.log.after(0)).toMatchObject([{ text: expect.stringContaining('clock') }, {}, {}, {}])

  unfollow()
  await vi.advanceTimersByTimeAsync(59_950)
  happen()
  await vi.advanceTimersByTimeAsync(50)
  const { latest } = live.log
  expect(live.log.after(latest)).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(live.log.latest).toBe(latest)

  onTestFinished(live.follow())
  happen()
  await vi.advanceTimersByTimeAsync(100)
  expect(live.log.after(latest)).toHaveLength(4)
})
