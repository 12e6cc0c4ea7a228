import { type Client, paths } from '../load/client.js'
import type { Promised } from './promises.js'

/** What is not as it was promised; undefined where it is. */
export const broken = async (client: Client, promised: Promised): Promise<string | undefined> => {
  switch (promised.kind) {
    case 'task': {
      const { status } = await client.ask('GET', promised.path)
      // It may have been deleted meanwhile, which the caller looks up.
      return status === 200 ? undefined : `task ${promised.id} is ${status}`
    }
    case 'gone': {
      const { status, json } = await client.ask('GET', promised.path)
      const isGone =
        promised.as === 'deleted' ? status === 404 : status === 404 || String(json?.status) === 'cancelled'
      return isGone ? undefined : `${promised.as} task ${promised.id} is ${status} ${String(json?.status)}`
    }
    case 'asset': {
      const { json } = await client.ask('GET', `${paths.resolve}?task_id=${promised.id}`)
      return [200, 202].includes(Number(json?.code))
        ? undefined
        : `asset job ${promised.id}: ${String(json?.code)}`
    }
    case 'result': {
      const { status, bytes } = await client.ask('GET', promised.path)
      if (status !== 200) return `result ${promised.path.slice(0, 60)} is ${status}`
      return bytes.length === promised.bytes
        ? undefined
        : `result ${promised.path.slice(0, 60)} is another one`
    }
  }
}
