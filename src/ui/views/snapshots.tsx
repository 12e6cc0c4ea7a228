import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { invoke, session, showError, showNotice } from '../app.js'
import { Button } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Section, TableHead } from '../parts/layout.js'
import { useFetch } from '../parts/use-fetch.js'
import { dateAndTime } from '../state/format.js'

/** How many snapshots this page has taken: the list is read again after each. */
const taken = signal(0)

/** Hook: the snapshots that the account can be restored from, oldest first. */
export const useSnapshots = () => {
  const { data, error } = useFetch('snapshots.list', {}, [taken.value])
  useEffect(() => void (error !== undefined && showError(error)), [error])
  return data?.items ?? []
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
  taken.value += 1
  showNotice(`Took ${id}.`)
}

/** Snapshots of the account: take one, go back to one. */
export const Snapshots = () => {
  const snapshots = useSnapshots()
  return (
    <Section title="Snapshots">
      <p class="quiet">They are in the memory of the emulator.</p>
      {snapshots.length > 0 && (
        <table>
          <TableHead names={['snapshot', 'account time', 'tasks', 'action']} />
          <tbody>
            {snapshots.map(({ id, at, tasks }) => (
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
