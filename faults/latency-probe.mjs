import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// @ts-check
/**
 * Client that asks for the same path again and again while others misbehave, in a thread of its own, so that only the
 * emulator can make it wait. Posts how long each answer took when it gets a message.
 */

const { port, path, everyMs } = workerData
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** @type {number[]} */
let times = []
/** @type {string[]} */
let troubles = []

const ask = () =>
  new Promise((resolve) => {
    const begun = performance.now()
    const done = (/** @type {string | undefined} */ trouble) => {
      times.push(performance.now() - begun)
      if (trouble !== undefined) troubles.push(trouble)
      resolve(undefined)
    }
    const call = request({ port, host: '127.0.0.1', path, agent, headers: { authorization: 'probe' } })
    call.setTimeout(30_000, () => call.destroy(new Error('no answer within 30 s')))
    call.once('error', (error) => done(error.message))
    call.once('response', (answer) => {
      answer.resume()
      answer.once('end', () => done(answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`))
    })
    call.end()
  })

parentPort?.on('message', () => {
  parentPort?.postMessage({ times, troubles })
  times = []
  troubles = []
})

for (;;) {
  await ask()
  await new Promise((resolve) => setTimeout(resolve, everyMs))
}
