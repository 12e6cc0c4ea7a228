import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { invoke, requests, session, showError, showNotice } from '../app.js'
import { Button } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Section, TableHead } from '../parts/layout.js'
import { submitForm } from '../parts/submit-form.js'
import { useFetch } from '../parts/use-fetch.js'
import { countOf, dateAndTime, localTime } from '../state/format.js'

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
  readonly name?: string | undefined
  readonly at: string
  readonly onRestored?: () => void
}

/** Restores the account, after a confirmation; its journal begins anew. */
export const Restore = ({ id, name = id, at, onRestored }: RestoreProps) => (
  <Confirm
    id={id}
    action={`Restore ${name}`}
    first={takeFirst}
    onConfirm={async () => {
      await invoke('snapshots.restore', { id })
      await session.reload()
      showNotice(
        `The account is as it was in ${name}.`,
        'Its journal begins there: the calls from before are not listed any more.',
      )
      onRestored?.()
    }}
  >
    The account goes back to {dateAndTime(at)}. What came since is lost, and so are all{' '}
    {countOf(requests.value.length, 'call')} of the journal, also those from before.
  </Confirm>
)

const take = async (name = ''): Promise<void> => {
  const { id } = await invoke('snapshots.take', name === '' ? {} : { name })
  taken.value += 1
  showNotice(`Took ${name || id}.`)
}

/** What the confirmation of a loss offers first. */
export const takeFirst = {
  label: 'Take a snapshot first',
  run: () => take(`before ${localTime(Date.now())}`),
}

const remove = async (id: string, name: string): Promise<void> => {
  await invoke('snapshots.remove', { id })
  taken.value += 1
  showNotice(`Removed ${name}.`)
}

/** Snapshots of the account: take one, go back to one. */
export const Snapshots = () => {
  const snapshots = useSnapshots()
  return (
    <Section title="Snapshots">
      <p class="quiet">They are in the memory of the emulator.</p>
      {snapshots.length > 0 && (
        <table>
          <TableHead names={['snapshot', 'account time', 'taken', 'tasks', 'action']} />
          <tbody>
            {snapshots.map(({ id, name, at, takenAt, tasks }) => (
              <tr key={id}>
                <td>{name ?? <code>{id}</code>}</td>
                <td>
                  <code>{dateAndTime(at)}</code>
                </td>
                <td title={takenAt}>{localTime(Date.parse(takenAt))}</td>
                <td>{tasks}</td>
                <td class="buttons">
                  <Restore id={id} name={name} at={at} />
                  <Button
                    class="plain"
                    aria-label={`Remove ${name ?? id}`}
                    onClick={() => remove(id, name ?? id)}
                  >
                    ✕
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form
        class="buttons take"
        onSubmit={(event) => submitForm(event, (fields) => take(String(fields.get('name') ?? '').trim()))}
      >
        <input
          name="name"
          aria-label="Name of the snapshot"
          placeholder="name, if you like"
          maxLength={100}
        />
        <button type="submit">Take a snapshot</button>
      </form>
    </Section>
  )
}
