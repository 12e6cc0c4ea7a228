import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { account, invoke, report, say, session } from '../app.js'
import { Button } from '../parts/button.js'
import { Section } from '../parts/facts.js'
import type { ActionOutput } from '../state/api.js'
import { dateAndTime } from '../state/time.js'

/** Snapshots that the account can be restored from, oldest first. */
export const snapshots = signal<ActionOutput<'snapshots.list'>['items']>([])

export const refreshSnapshots = async (): Promise<void> => {
  snapshots.value = (await invoke('snapshots.list', {})).items
}

/** Restores the account; its journal begins anew. */
export const restore = async (id: string): Promise<void> => {
  await invoke('snapshots.restore', { id })
  await session.reload()
  say(`The account is as it was in ${id}.`)
}

const take = async (): Promise<void> => {
  const { id } = await invoke('snapshots.take', {})
  await refreshSnapshots()
  say(`Took ${id}.`)
}

/** Snapshots of the account: take one, go back to one. */
export const Snapshots = () => {
  useEffect(() => void refreshSnapshots().catch(report), [account.value.account])
  return (
    <Section title="Snapshots">
      <p class="quiet">A snapshot is in the memory of the emulator. Restoring one begins the journal anew.</p>
      {snapshots.value.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>snapshot</th>
              <th>account time</th>
              <th>tasks</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {snapshots.value.map(({ id, at, tasks }) => (
              <tr key={id}>
                <td>
                  <code>{id}</code>
                </td>
                <td>
                  <code>{dateAndTime(at)}</code>
                </td>
                <td>{tasks}</td>
                <td>
                  <Button act={() => restore(id)}>Restore</Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button act={take}>Take a snapshot</Button>
    </Section>
  )
}
