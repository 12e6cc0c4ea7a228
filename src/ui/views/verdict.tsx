import type { Finding, ProfileItem } from '../../generated/control-api.js'
import { account, requests } from '../app.js'
import { ErrorMessage, Section, TableHead } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { PlaceLinks } from '../parts/place-link.js'
import { useFetch } from '../parts/use-fetch.js'
import { shortId } from '../state/format.js'

/** Verdict on the client of the account so far: what it did that a robust client would not. */
export const Verdict = () => {
  const { data, error } = useFetch('verdict.read', {}, [requests.value[0]?.id, account.value.clock?.now])
  return (
    <Section title="Verdict on the client so far" aside={<PlaceLinks place="docs/verdict.md#findings" />}>
      <ErrorMessage error={error} />
      {data?.items.length === 0 && <p class="quiet">✓ The client has behaved.</p>}
      {data?.items.map((finding, index) => (
        <FindingLine key={`${index} ${finding.kind}`} finding={finding} />
      ))}
    </Section>
  )
}

const MAX_CALLS = 5

const FindingLine = ({ finding: { kind, message, advice, calls } }: { finding: Finding }) => (
  <article class="finding">
    <p>
      <strong class="outcome-refused">✕ {kind}</strong> {message}
    </p>
    <p class="quiet">{advice}</p>
    <p>
      {calls.slice(-MAX_CALLS).map((id) => (
        <span key={id} class="also">
          <Link to={{ view: requests.value.some((call) => call.id === id) ? 'requests' : 'callbacks', id }}>
            {shortId(id)}
          </Link>
        </span>
      ))}
      {calls.length > MAX_CALLS && <span class="quiet">the last of {calls.length}</span>}
    </p>
  </article>
)

/** The profile in force: each value that differs from the built-in one, and the file that it comes from. */
export const ProfileInForce = () => {
  const { data, error } = useFetch('profile.read', {}, [])
  return (
    <Section title="Profile in force">
      <ErrorMessage error={error} />
      {data?.items.length === 0 && (
        <p class="quiet">No profile: the service is as the specification has it.</p>
      )}
      {data !== undefined && data.items.length > 0 && <ProfileTable items={data.items} />}
    </Section>
  )
}

const ProfileTable = ({ items }: { items: readonly ProfileItem[] }) => (
  <table>
    <TableHead names={['key', 'value', 'from']} />
    <tbody>
      {items.map(({ key, value, source, line }) => (
        <tr key={key}>
          <td>
            <code>{key}</code>
          </td>
          <td>
            <code>{JSON.stringify(value)}</code>
          </td>
          <td class="quiet">
            {source}
            {line !== null && `:${line}`}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
