import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createPipeline } from '../src/pipeline.js'

/** Makes a film, polls for it, and resolves with its bytes. */
const byPolling = async (emulator, planted) => {
  const { order, follow, films } = createPipeline(optionsOf(emulator, planted))
  const id = await order('a lighthouse in the fog', 'order-1')
  await follow(id)
  return films.get(id)
}

/** Makes a film, hears of it by callbacks, and resolves with its bytes. */
const byCallbacks = async (emulator, planted) => {
  const work = []
  const server = createServer(async (request, response) => {
    const body = await json(request)
    // It answers at once, and does the work after that.
    response.writeHead(204).end()
    work.push(pipeline.receive(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const callbackUrl = `http://127.0.0.1:${server.address().port}/callbacks`
  const pipeline = createPipeline({ ...optionsOf(emulator, planted), callbackUrl })
  try {
    const id = await pipeline.order('a lighthouse in the fog', 'order-1')
    await emulator.clock.advance({ to: 'idle' })
    await Promise.all(work)
    return pipeline.films.get(id)
  } finally {
    server.close()
  }
}

const optionsOf = (emulator, planted) => ({
  baseUrl: `${emulator.url}/provB/api/v3`,
  apiKey: emulator.key,
  // A pause that moves the clock of the account, and takes no time.
  pause: (ms) => emulator.pause(ms),
  planted,
})

/** What the tests of the pipeline are about: what happens to the service meanwhile, and how the film is made. */
export const stories = {
  'makes a film': { make: byPolling },
  'makes a film of which it hears by callbacks': { make: byCallbacks },
  'makes one film when the answer to the order is lost': { scenario: 'reset-after-create', make: byPolling },
  'makes a film when the service is busy': { scenario: 'rate-limit-burst', make: byPolling },
  'makes a film when a download breaks off': { scenario: 'result-cut', make: byPolling },
  'makes a film when each callback comes twice': { scenario: 'callback-twice', make: byCallbacks },
}
