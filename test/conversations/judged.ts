import { expect } from 'vitest'
import type { FindingKind } from '../../src/emulator/core/verdict/kinds.js'
import { startOnPort } from '../emulator.js'

/** The smallest order of family B. */
export const small = { resolution: '480p', duration: 4 }

/** An emulator with a client whose verdict is looked at. */
export const open = async () => {
  // No real time passes, so that only the clock of the account counts.
  const client = await startOnPort({}, { systemNow: () => Date.UTC(2026, 10, 29) })
  const kinds = async () => (await client.verdict()).map(({ kind }) => kind)
  /** Follows a task of family B to its end, and returns the URL of its result. */
  const follow = async (id: string): Promise<string> => {
    await client.clock.advance({ to: 'idle' })
    return (await client.query(id)).body.content.video_url
  }
  const download = async (url: string, init?: RequestInit) => (await fetch(url, init)).arrayBuffer()
  const complete = async (change?: object) => {
    const id = await client.createB(change)
    const url = await follow(id)
    await download(url)
    return { id, url }
  }
  const expectFinding = async (kind: FindingKind, calls: number, message: RegExp) => {
    const findings = await client.verdict()
    expect(findings.map((finding) => finding.kind)).toEqual([kind])
    const [finding] = findings
    expect(finding?.message).toMatch(message)
    expect(finding?.calls).toHaveLength(calls)
    expect(finding).toMatchObject({ docs: `docs/verdict.md#${kind}`, advice: expect.any(String) })
  }
  return { ...client, kinds, follow, download, complete, expectFinding }
}
