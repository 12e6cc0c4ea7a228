import { execFile } from 'node:child_process'
import { link, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmulatorProcess } from '../emulator.js'
import { comesTrue } from './calls.js'
import { inFolder } from './in-folder.js'

const headers = { authorization: 'Bearer own-faults', 'content-type': 'application/json' }

const create = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }),
  })
  return ((await response.json()) as { id: string }).id
}

const idsAt = async (url: string): Promise<string[]> => {
  const response = await fetch(`${url}/_backlot/tasks`, { headers })
  return ((await response.json()) as { items: { id: string }[] }).items.map(({ id }) => id).sort()
}

/** What an emulator says that refuses these arguments; empty: it started. */
const refusal = async (args: readonly string[]): Promise<string> => {
  try {
    await (await startEmulatorProcess(args)).kill()
    return ''
  } catch (error) {
    return String(error)
  }
}

export const frozenOwner = inFolder(
  'a state file whose owner is frozen, and is taken over',
  async ({ check, folder, start }) => {
    const file = join(folder, 'state.jsonl')
    const first = await start(['--state', file])
    const ids = [await create(first.url), await create(first.url)]
    process.kill(first.pid, 'SIGSTOP')
    const said = await refusal(['--state', file])
    check(said.includes(`process ${first.pid}`), `the second one is refused and told by whom: ${said}`)
    check(said.includes('--state-take-over'), 'and what the way out is')
    const second = await start(['--state', file, '--state-take-over'])
    ids.push(await create(second.url))
    process.kill(first.pid, 'SIGCONT')
    await create(first.url)
    check(
      await comesTrue(() => first.errors().includes('taken over by another Backlot')),
      `the first one learns of it: ${first.errors()}`,
    )
    const ending = await first.stop().then(() => 'ended with 0', String)
    check(ending.includes('ended with 1'), `its exit code says that calls are lost: ${ending}`)
    await second.kill()
    const third = await start(['--state', file])
    const found = await idsAt(third.url)
    check(
      JSON.stringify(found) === JSON.stringify([...ids].sort()),
      `everything of the second one is there, and nothing else: ${found}`,
    )
    return 'refused, taken over on demand, and not destroyed by its former owner'
  },
)

export const manyNames = inFolder(
  'state files under odd names and damaged ones',
  async ({ check, folder, start }) => {
    const at = (name: string) => join(folder, name)
    await writeFile(at('a-file'), '')
    const inTheWay = await refusal(['--state', at('a-file/x.jsonl')])
    check(inTheWay.includes('a part of its path is no folder'), `a file in the way: ${inTheWay}`)
    await promisify(execFile)('mkfifo', [at('pipe')])
    const pipe = await refusal(['--state', at('pipe')])
    check(pipe.includes('named pipe'), `a named pipe: ${pipe}`)
    check((await refusal(['--state', '/dev/null'])).includes('a device'), 'a device')
    check((await stat('/dev/null')).isCharacterDevice(), '/dev/null is what it was')

    await symlink(at('state.jsonl'), at('link.jsonl'))
    const first = await start(['--state', at('link.jsonl')])
    await create(first.url)
    await link(at('state.jsonl'), at('hard.jsonl'))
    const hard = await refusal(['--state', at('hard.jsonl')])
    check(hard.includes('2 names'), `a file under two names: ${hard}`)
    await first.stop()
    const whole = await readFile(at('link.jsonl'), 'utf8')
    check(/\["end","[0-9a-f]{8}"\]$/.test(whole.trim()), 'a link leads to the whole file after a stop')

    const changed = async (name: string, change: (text: string) => string): Promise<string> => {
      await writeFile(at(name), change(whole))
      return refusal(['--state', at(name)])
    }
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const refused = {
      deep: await changed('deep.jsonl', (text) => text.replace('"model":', `"deep":${deep},"model":`)),
      minus: await changed('minus.jsonl', (text) => text.replace('"version":3', '"version":-1')),
      half: await changed('half.jsonl', (text) => text.replace('"version":3', '"version":0.5')),
      ratio: await changed('ratio.jsonl', (text) => text.replace('"ratio":"16:9"', '"ratio":"x"')),
    }
    check(refused.deep.includes('more than 500 levels'), `a deep record: ${refused.deep.slice(0, 300)}`)
    check(refused.minus.includes('found version -1'), `version -1: ${refused.minus}`)
    check(refused.half.includes('found version 0.5'), `version 0.5: ${refused.half}`)
    check(refused.ratio.includes('ratio'), `an edited ratio: ${refused.ratio}`)
    await writeFile(at('short.jsonl'), whole)
    await truncate(at('short.jsonl'), whole.length - 5)
    const short = await refusal(['--state', at('short.jsonl')])
    check(short.includes('cut off'), `a file that was cut off: ${short}`)
    return 'each is refused with a reason, and stays as it is'
  },
)
