import { expect, test } from 'vitest'
import { ended } from '../cli/backlot.js'

const inRemovedFolder = ['bash', '-c', 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$0" "$@"']

test.skipIf(process.platform === 'win32').each([['exec -- true'], ['start --port 0'], ['init']])(
  '%s: a working directory that was removed is told',
  async (line) => {
    expect(await ended(line.split(' '), { before: inRemovedFolder })).toEqual({
      code: 1,
      out: '',
      err: 'backlot: The working directory is no longer there.\nChange into a folder that is there.\n',
    })
  },
)
