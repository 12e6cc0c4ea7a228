import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../clients/python', import.meta.url))

/** A Python that has what the tests import; that of the system has the packages of Debian, whatever else `python3` is. */
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import pytest, requests, httpx'], { stdio: 'ignore' }).status === 0,
)

// `.ci/run` asks for it where it can be installed.
test.skipIf(python === undefined && process.env.PYTHON_CLIENT !== 'required')(
  'the tests of the Python client pass (skipped without python3 with pytest, requests and httpx)',
  async () => {
    expect(python).toBeDefined()
    const { BACKLOT_URL: _, ...environment } = process.env
    const command = `backlot_command="${process.execPath}" "${CLI}"`
    const child = spawn(python ?? '', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-o', command], {
      cwd: FOLDER,
      env: { ...environment, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (data) => {
      out += data
    })
    const [code] = await once(child, 'close')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/\b\d\d passed/) })
  },
  600_000,
)
