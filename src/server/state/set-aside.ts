import { copyFile, rename, stat } from 'node:fs/promises'

/** Puts a state file that cannot be read out of the way, and answers where it is now. */
export const moveAside = async (file: string): Promise<string> => {
  const to = await freeName(`${file}.broken`)
  await rename(file, to)
  return to
}

/** Copies a state file of an older version before it is written anew, and answers where the copy is. */
export const backUpOlder = async (file: string, version: number): Promise<string> => {
  const to = await freeName(`${file}.version-${version}`)
  await copyFile(file, to)
  return to
}

const freeName = async (base: string): Promise<string> => {
  for (let number = 1; ; number += 1) {
    const name = `${base}-${number}`
    if ((await stat(name).catch(() => undefined)) === undefined) return name
  }
}
