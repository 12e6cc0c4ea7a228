import type { AccountLimits, AccountRecord } from '../../generated/control-api.js'
import { account, invoke, notice, session, sessionState, showNotice } from '../app.js'
import { Confirm } from '../parts/confirm.js'
import { CopyValue } from '../parts/copy.js'
import { Facts, Message, Scroll, Section } from '../parts/layout.js'
import { submitForm } from '../parts/submit-form.js'
import { countOf, formatNumber } from '../state/format.js'
import { Snapshots, takeFirst } from './snapshots.js'
import { ProfileInForce, Verdict } from './verdict.js'

const limitNames: readonly (readonly [keyof AccountLimits, string])[] = [
  ['requestsPerMinute', 'creates and uploads in any 60 seconds'],
  ['tasksInFlight', 'tasks that have not ended'],
  ['imageQuota', 'images of families A and A2, in all'],
]

/** The account: its figures and limits, its snapshots, and its reset. */
export const AccountView = () => {
  const { account: entry, seed } = sessionState.value
  const { record } = account.value
  if (entry === undefined || record === undefined)
    return <Message text="No account yet." hint="The first call with any API key opens one." />
  return (
    <Scroll label="Account" class="padded account-page">
      <Section title="Account">
        <Facts
          entries={[
            ['key', <CopyValue value={entry.key} />],
            ['tag', <CopyValue value={record.tag} />],
            ['tasks', `${formatNumber(record.tasks)}, ${formatNumber(record.tasksInFlight)} under way`],
            ['creates and uploads', formatNumber(record.ordinal)],
            ['images made', formatNumber(record.imagesMade)],
            ['spent', formatNumber(record.spent, 4)],
            ['seed of the emulator', seed],
          ]}
        />
      </Section>
      <AccountForm key={record.tag} record={record} />
      <Verdict key={`verdict ${record.tag}`} />
      <Snapshots key={record.tag} />
      <Reset key={record.tag} record={record} name={entry.name} />
      <ProfileInForce />
    </Scroll>
  )
}

/** Form of what can be changed. Uncontrolled: what is typed stays until it is saved, also when saving fails. */
const AccountForm = ({ record }: { record: AccountRecord }) => (
  <Section title="Balance, limits, agreement">
    <form
      class="form"
      onInput={() => (notice.value = undefined)}
      // Saved, its fields follow the account again.
      onSubmit={(event) =>
        submitForm(event, async (fields) => {
          await session.changeAccount(changeOf(fields))
          showNotice('Changed the account.')
        })
      }
    >
      <label>
        <span>balance</span>
        <input name="balance" type="number" step="any" required defaultValue={String(record.balance)} />
      </label>
      <label>
        <span>agreement of the asset library accepted</span>
        <input name="agreementAccepted" type="checkbox" defaultChecked={record.agreementAccepted} />
      </label>
      {limitNames.map(([name, label]) => (
        <label key={name}>
          <span>
            {name}, {label}
          </span>
          <input
            name={name}
            type="number"
            min="0"
            placeholder="no limit"
            defaultValue={record.limits[name] === null ? '' : String(record.limits[name])}
          />
        </label>
      ))}
      <button type="submit">Save</button>
    </form>
  </Section>
)

const changeOf = (fields: FormData) => {
  const limitOf = (name: string) => (fields.get(name) === '' ? null : Number(fields.get(name)))
  return {
    balance: Number(fields.get('balance')),
    agreementAccepted: fields.has('agreementAccepted'),
    limits: Object.fromEntries(limitNames.map(([name]) => [name, limitOf(name)])),
  }
}

const reset = async (): Promise<void> => {
  await invoke('reset', {})
  await session.reload()
  showNotice('The account began anew.')
}

/** Reset, after a confirmation that says what will be lost. */
const Reset = ({ record, name }: { record: AccountRecord; name: string }) => {
  const { requests, callbacks, scenarios } = account.value
  const losses = [
    countOf(record.tasks, 'task'),
    countOf(requests.length, 'call'),
    countOf(callbacks.length, 'callback'),
    countOf(scenarios.length, 'running scenario'),
  ].join(', ')
  return (
    <Section title="Reset">
      <Confirm id="losses" action={`Reset ${name}`} short="Reset" first={takeFirst} onConfirm={reset}>
        The account begins anew. {losses}, its balance, limits and clock go back to the start. Snapshots stay.
      </Confirm>
    </Section>
  )
}
