import { requests } from '../app.js'
import { CopyValue } from '../parts/copy.js'
import { FilterCheck, hasFilter, SearchField, search } from '../parts/filters.js'
import { ErrorMessage, Message, Scroll, TableHead } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { useFetch } from '../parts/use-fetch.js'
import type { ActionOutput } from '../state/api.js'
import { type GapMet, gapsMet } from '../state/gaps-met.js'

type Gap = ActionOutput<'gaps.list'>['items'][number]

/** Answers that the specification leaves open and that the calls of the account have met; or all of them. */
export const GapsView = () => {
  const { data, error } = useFetch('gaps.list', {}, [])
  if (error !== undefined) return <ErrorMessage error={error} />
  const gaps = data?.items ?? []
  const ids = gaps.map(({ id }) => id)
  const met = gapsMet(ids, requests.value)
  const rows = gaps
    .filter(({ id }) => hasFilter('all') || met.has(id))
    .filter(({ id, answer, place }) => `${id} ${place} ${answer}`.toLowerCase().includes(search.value))
    .toSorted((a, b) => rankOf(met.get(a.id)) - rankOf(met.get(b.id)))
  return (
    <div class="page">
      <div class="filters">
        <SearchField label="Search gaps" placeholder="id, place, answer" />
        <FilterCheck name="all" label={`all ${gaps.length}, met or not`} />
        <span class="quiet">What the specification leaves open, what is answered, and how sure that is</span>
      </div>
      {gaps.length > 0 && rows.length === 0 ? (
        <Message
          text={search.value === '' ? 'The calls of this account have met no gap.' : 'No gap matches.'}
          hint="It is met when it decides a call, or an operation of its family is called."
        />
      ) : (
        <Scroll label="Gaps">
          <table class="gaps">
            <TableHead names={['Gap', 'Grade', 'What is answered', 'Settings', 'Met']} />
            <tbody>
              {rows.map((gap) => (
                <GapRow key={gap.id} gap={gap} met={met.get(gap.id)} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  )
}

/** Gaps that decided a call come first. */
const rankOf = (met: GapMet | undefined): number => ['rule', 'family', undefined].indexOf(met?.by)

/** Text with what stands between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))

/** How sure an answer is: seen of the real service, or else the grade of the gap. */
const GradeCell = ({ gap: { grade, verified } }: { gap: Gap }) => {
  const asked = verified === null ? undefined : `asked: ${verified.asked.join(', ')}`
  if (verified?.verdict === 'same')
    return (
      <td class="grade-seen" title={asked}>
        seen on {verified.on}
      </td>
    )
  return (
    <td class={`grade-${grade}`} title={asked}>
      {grade}
      {verified !== null && <div>the service answers otherwise, seen on {verified.on}</div>}
    </td>
  )
}

const GapRow = ({ gap, met }: { gap: Gap; met: GapMet | undefined }) => (
  <tr>
    <td>
      <CopyValue value={gap.id} />
      <div class="quiet">{withCode(gap.place)}</div>
    </td>
    <GradeCell gap={gap} />
    <td>{withCode(gap.answer)}</td>
    <td>
      {Object.entries(gap.settings).map(([name, value]) => (
        <code key={name} class="setting">
          {name}: {JSON.stringify(value)}
        </code>
      ))}
    </td>
    <td>
      {met !== undefined && (
        <Link to={{ view: 'requests', id: met.requestId }}>
          {met.by === 'rule' ? 'decided a call' : 'family called'}
        </Link>
      )}
    </td>
  </tr>
)
