import { spawn } from 'node:child_process'

/** The program of each platform that opens an address in the browser, and what it is given before the address. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens an address in the browser of this machine, without a shell. Resolves with why it could not be opened, or with
 * undefined once the program runs. A token is no part of the address: every user of the machine can read the arguments of a
 * process.
 */
export const openBrowser = (
  url: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> => {
  const [program, ...args] = openers[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, shell: false })
    child.once('error', ({ message }) => resolve(`${program} cannot be started: ${message}`))
    child.once('spawn', () => {
      // The browser outlives the emulator.
      child.unref()
      resolve(undefined)
    })
  })
}
