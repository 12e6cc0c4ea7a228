import { fullDisk, readOnlyDisk } from './own-faults/disk.js'
import type { Fault } from './own-faults/fault.js'
import { outOfHandles } from './own-faults/handles.js'
import { absentPackages } from './own-faults/packages.js'
import { killedEmulator, killedFfmpeg, noTemporaryFolder } from './own-faults/processes.js'
import { frozenOwner, manyNames } from './own-faults/state.js'
import { type Part, say } from './part.js'

const faults: readonly Fault[] = [
  fullDisk,
  readOnlyDisk,
  outOfHandles,
  killedFfmpeg,
  killedEmulator,
  noTemporaryFolder,
  frozenOwner,
  manyNames,
  ...absentPackages,
]

/** What can break around an emulator and takes a process of its own, or the rights to break it, to be tried. */
export const ownFaults: Part = async () => {
  const failures: string[] = []
  let skipped = 0
  for (const { name, run } of faults) {
    const check = (holds: boolean, what: string) => {
      if (!holds) failures.push(`${name}: ${what}`)
    }
    const came = await run(check).catch((error) => {
      failures.push(`${name}: ${error}`)
      return 'failed'
    })
    if (came.startsWith('skipped')) skipped += 1
    say(`  ${name}: ${came}`)
  }
  return { line: `${faults.length - skipped} of ${faults.length} faults tried`, failures }
}
