import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { account, invoke, session, showError, showNotice } from '../app.js'
import { Button } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Section, TableHead } from '../parts/layout.js'
import type { ActionOutput } from '../state/api.js'
import { dateAndTime } from '../state/format.js'

/** Snapshots that the account can be restored from, oldest first. */
export const snapshots = signal<ActionOutput<'snapshots.list'>['items']>([])

export const refreshSnapshots = async (): Promise<void> => {
  // They may be those of another account.
  snapshots.value = []
  snapshots.value = (await invoke('snapshots.list', {})).items
}

interface RestoreProps {
  readonly id: string
  readonly at: string
  readonly onRestored?: () => void
}

/** Restores the account, after a confirmation; its journal begins anew. */
export const Restore = ({ id, at, onRestored }: RestoreProps) => (
  <Confirm
    id={id}
    action={`Restore ${id}`}
    onConfirm={async () => {
      await invoke('snapshots.restore', { id })
      await session.reload()
      showNotice(`The account is as it was in ${id}.`)
      onRestored?.()
    }}
  >
    The account goes back to {dateAndTime(at)}. What came since is lost, and the journal.
  </Confirm>
)

const take = async (): Promise<void> => {
  const { id } = await invoke('snapshots.take', {})
  // Those that are shown stay meanwhile: without them the page would be shorter, and scroll.
  snapshots.value = (await invoke('snapshots.list', {})).items
  showNotice(`Took ${id}.`)
}

/** Snapshots of the account: take one, go back to one. */
export const Snapshots = () => {
  useEffect(() => void refreshSnapshots().catch(showError), [account.value.tag])
  return (
    <Section title="Snapshots">
      <p class="quiet">They are in the memory of the emulator.</p>
      {snapshots.value.length > 0 && (
        <table>
          <TableHead names={['snapshot', 'account time', 'tasks', 'action']} />
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
                  <Restore id={id} at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button onClick={take}>Take a snapshot</Button>
    </Section>
  )
}
