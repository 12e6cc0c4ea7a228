import { execFileSync } from 'node:child_process'
import { ask, creates } from './calls.js'
import { byTurns, inFullOr, median, medians, timed } from './measure.js'
import { hasPeers } from './rates.js'
import { atMost, OURS, row, type Table } from './report.js'
import { type Server, startBacklot, startPeer } from './server.js'

const ROUNDS = inFullOr(7, 2)
const FURTHER = 20

/** What a test file does first: the module that it imports as `it`, and how it starts and stops a server. */
const programs = {
  [OURS]: { module: './dist/index.js', start: 'return it.startEmulator()', stop: 'server.stop()' },
  aimock: {
    module: './bench/peers/node_modules/@copilotkit/aimock/dist/index.js',
    start: 'const mock = new it.LLMock({ port: 0 }); await mock.start(); return mock',
    stop: 'server.stop()',
  },
  Express: {
    module: 'express',
    start: 'return new Promise((done) => { const server = it.default().listen(0, () => done(server)) })',
    stop: 'new Promise((done) => server.close(done))',
  },
}

interface Started {
  readonly importing: number
  readonly first: number
  readonly further: number
}

/** Milliseconds in a process that has imported nothing yet. */
const startIn = ({ module, start, stop }: { module: string; start: string; stop: string }): Started => {
  const code = `
    const times = [performance.now()]
    const it = await import('${module}')
    const start = async () => { ${start} }
    for (let nth = 0; nth <= ${FURTHER}; nth += 1) {
      times.push(performance.now())
      const server = await start()
      times.push(performance.now())
      await ${stop}
    }
    const [begin, imported, started, stopped] = times
    const further = (performance.now() - stopped) / ${FURTHER}
    console.log(JSON.stringify({ importing: imported - begin, first: started - imported, further }))
    process.exit()`
  const args = ['--input-type=module', '-e', code]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Started
}

/** Milliseconds of a process: from spawn to ready and to a first answer that is asked for right then, and to stop. */
const spawnToReady = async (start: () => Promise<Server>, path: string) => {
  let server: Server | undefined
  const ready = await timed(async () => {
    server = await start()
  })
  const answer = await timed(async () => (await fetch(`${server?.url}${path}`)).text())
  return { ready, answered: ready + answer, stop: await timed(() => server?.stop()) }
}

/** Milliseconds of the first create of a process that has just said that it is ready. */
const firstCreate = async (): Promise<number> => {
  const server = await startBacklot()
  const ms = await timed(() => ask(server.url, creates.B))
  await server.stop()
  return ms
}

/** How long it takes until a server is there: within a process, and as a process of its own. */
export const starting = async (): Promise<Table[]> => {
  const names = (Object.keys(programs) as (keyof typeof programs)[]).filter(
    (name) => name !== 'aimock' || hasPeers(),
  )
  const within = await byTurns(names, ROUNDS, async (name) => startIn(programs[name]))
  const spawned = {
    [OURS]: () => startBacklot(),
    aimock: () => startPeer('aimock'),
    Express: () => startPeer('express'),
  }
  const processes = await byTurns(names, ROUNDS, (name) =>
    spawnToReady(spawned[name], name === OURS ? '/_backlot/clock' : '/'),
  )
  const creating: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) creating.push(await firstCreate())
  return [
    {
      title: 'Starting',
      rows: [
        row(
          'importing the package',
          'ms',
          medians(within, (turn) => turn.importing),
          atMost(1.2, { times: 'Express' }),
        ),
        row(
          'first start in a process',
          'ms',
          medians(within, (turn) => turn.first),
        ),
        row(
          'a further start and stop',
          'ms',
          medians(within, (turn) => turn.further),
          atMost(5),
        ),
        row(
          'from spawn to ready',
          'ms',
          medians(processes, (turn) => turn.ready),
          atMost(1.1, { times: 'Express' }),
        ),
        row(
          'from spawn to the first answer (of the control API)',
          'ms',
          medians(processes, (turn) => turn.answered),
          atMost(1.1, { times: 'Express' }),
        ),
        row('the first create after ready', 'ms', median(creating), atMost(20)),
        row(
          'stopping a process',
          'ms',
          medians(processes, (turn) => turn.stop),
          atMost(200),
        ),
      ],
    },
  ]
}
