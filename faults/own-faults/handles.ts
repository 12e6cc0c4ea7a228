import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { startEmulatorProcess } from '../emulator.js'
import { comesTrue, get, newPicture, newVideo } from './calls.js'
import type { Fault } from './fault.js'

const HANDLES = 64

/** No file handles left: connections are closed or wait, drawings say so, and nothing else happens. */
export const outOfHandles: Fault = {
  name: 'out of file handles',
  run: async (check) => {
    const emulator = await startEmulatorProcess(['--timing', 'instant', '--clock', 'paused'], {
      handles: HANDLES,
    })
    const { url, port } = emulator
    const idle: Socket[] = []
    try {
      const [picture, video] = [await newPicture(url), await newVideo(url)]
      check((await get(await newPicture(url))).status === 200, 'a picture before')
      const held = Promise.all([video, picture].map(get))
      for (let number = 0; number < 2 * HANDLES; number += 1) idle.push(await opened(port))
      const answers = await held
      for (const { status, text } of answers)
        check([0, 200, 500].includes(status), `an answer or none, and not something else: ${status} ${text}`)
      for (let times = 0; times < 5; times += 1) await get(`${url}/_backlot/health`)
      check(isAlive(emulator.pid), `the process is still there: ${emulator.errors()}`)
      for (const socket of idle) socket.destroy()
      check(
        await comesTrue(async () => (await get(`${url}/_backlot/health`)).status === 200),
        'it answers again',
      )
      check((await get(picture)).status === 200, 'it draws pictures again')
      check((await get(video)).status === 200, 'it draws videos again')
      check(emulator.errors().split('\n').length < 20, `no flood: ${emulator.errors().slice(0, 2_000)}`)
      return `${idle.length} connections on ${HANDLES} handles; alive, and works again`
    } finally {
      for (const socket of idle) socket.destroy()
      await emulator.kill()
    }
  },
}

const opened = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
