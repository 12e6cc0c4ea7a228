import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { newFolder } from '../folder.js'
import { started } from './backlot.js'
import { control, createImage, createVideo } from './requests.js'

/** A folder of a project that has the package as it was built, and the frameworks of this one. No check of the sources reads it. */
export const projectFolder = (): string => {
  mkdirSync('.backlot', { recursive: true })
  const folder = newFolder(resolve('.backlot'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'backlot'), 'junction')
  return folder
}

/** A recording of a session in which some things go well, a create is refused, a task fails and a callback is lost. */
export const recorded = async (folder: string, name = 'session.jsonl'): Promise<string> => {
  const file = join(folder, name)
  session ??= record()
  await writeFile(file, await session)
  return file
}

// Recorded once: every test has a copy of its own.
let session: Promise<string> | undefined

const record = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-cli-'))
  try {
    const file = join(folder, 'session.jsonl')
    const { url, process, ended } = await started(['--clock', 'on-poll', '--record', file])
    await createImage(url, { size: '512*512' })
    const { id } = (await (await createVideo(url)).json()) as { id: string }
    await createVideo(url, { duration: 99 })
    await control(url, `/tasks/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ status: 'failed', error: 'InternalServiceError' }),
    })
    await createVideo(url, { callback_url: 'http://127.0.0.1:1/hook' })
    await control(url, '/clock/advance', { method: 'POST', body: '{"to":"idle"}' })
    process.kill('SIGTERM')
    await ended
    return await readFile(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
