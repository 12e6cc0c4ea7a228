import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startEmulator } from '../../../src/index.js'
import { readCoverage } from '../../../src/resilience/coverage/join.js'
import { mergeReports } from '../../../src/resilience/coverage/report.js'

test('a family from outside is covered as the built-in ones are, also in a report that is merged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-coverage-'))
  vi.stubEnv('BACKLOT_COVERAGE', folder)
  try {
    const emulator = await startEmulator({ families: ['examples/family/sketch.family.ts'] })
    const headers = { Authorization: 'Bearer alice', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ model: 'delta-sketch-1', prompt: 'x'.repeat(81) })
    await fetch(`${emulator.url}/acme/v1/sketches`, { method: 'POST', headers, body })
    await emulator.stop()
    const report = readCoverage(folder)
    expect(report.families.used).toEqual(['acme-sketch'])
    expect(report.hits.rules).toMatchObject({ 'acme-sketch.prompt-length:broken': 1 })
    const missing = report.uncovered.map(({ item }) => item)
    expect(missing).toContain('acme-sketch.read')
    expect(missing).toContain('acme-sketch/too_many')
    expect(missing).toContain('acme-sketch/succeeded')
    expect(missing).not.toContain('acme-sketch.create')
    expect(missing).not.toContain('acme-sketch.prompt-length:broken')
    expect(mergeReports([report]).uncovered).toEqual(report.uncovered)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
