import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Block, blocks } from './blocks.js'
import { entries } from './entries.js'

/** The one block of a page in which a text stands. */
export const blockWith = (page: string, text: string): Block => {
  const found = blocks.filter((block) => block.page === page && block.code.includes(text))
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${page} have ${text}, instead of one.`)
  return found[0] as Block
}

/** Files to run, by their names. */
type Files = Readonly<Record<string, string>>

/** Runs the first of these files, side by side in a folder of the project, with the sources for the package. */
export const run = async (files: Files): Promise<void> => {
  await mkdir('.backlot', { recursive: true })
  const folder = await mkdtemp(join(resolve('.backlot'), 'run-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), fromSources(text))
    await import(pathToFileURL(join(folder, Object.keys(files)[0] ?? '')).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const fromSources = (text: string): string =>
  entries.reduce(
    (code, { name, source }) => code.replaceAll(`'${name}'`, `'${pathToFileURL(source).href}'`),
    text,
  )
