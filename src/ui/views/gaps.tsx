import { computed } from '@preact/signals'
import { place, requests } from '../app.js'
import { useAnswer } from '../parts/answer.js'
import { CopyValue } from '../parts/copy.js'
import { Message, Scroll } from '../parts/facts.js'
import { FilterCheck, SearchField } from '../parts/filters.js'
import { Link } from '../parts/link.js'
import type { ActionOutput } from '../state/api.js'
import { type GapMet, gapsMet } from '../state/gaps-met.js'

type Gap = ActionOutput<'gaps.list'>['items'][number]

const isAll = computed(() => place.value.query.all === '1')
const search = computed(() => place.value.query.search ?? '')

/** Answers that the specification leaves open and that the calls of the account have met; or all of them. */
export const GapsView = () => {
  const { answer, problem } = useAnswer('gaps.list', {}, [])
  if (problem !== undefined) return <Message isError text={problem.message} hint={problem.hint} />
  const gaps = answer?.items ?? []
  const ids = gaps.map(({ id }) => id)
  const met = gapsMet(ids, requests.value)
  const wanted = search.value.toLowerCase()
  const shown = gaps
    .filter(({ id }) => isAll.value || met.has(id))
    .filter(({ id, answer, place: where }) => `${id} ${where} ${answer}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => rankOf(met.get(one.id)) - rankOf(met.get(other.id)))
  return (
    <div class="page">
      <div class="filters">
        <SearchField label="Search gaps" placeholder="id, place, answer" />
        <FilterCheck name="all">all {gaps.length}, met or not</FilterCheck>
        <span class="quiet">What the specification leaves open, what is answered, and how sure that is</span>
      </div>
      {gaps.length > 0 && shown.length === 0 ? (
        <Message
          text={search.value === '' ? 'The calls of this account have met no gap.' : 'No gap matches.'}
          hint="A gap is met when it decides a call, or when an operation of its family is called."
        />
      ) : (
        <Scroll label="Gaps">
          <table class="gaps">
            <thead>
              <tr>
                {['Gap', 'Grade', 'What is answered', 'Settings', 'Met'].map((name) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((gap) => (
                <GapRow key={gap.id} gap={gap} met={met.get(gap.id)} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  )
}

/** What decided a call comes first. */
const rankOf = (met: GapMet | undefined): number => (met === undefined ? 2 : met.by === 'rule' ? 0 : 1)

/** Text with what stands between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))

const GapRow = ({ gap, met }: { gap: Gap; met: GapMet | undefined }) => (
  <tr>
    <td>
      <CopyValue value={gap.id} />
      <div class="quiet">{withCode(gap.place)}</div>
    </td>
    <td class={`grade-${gap.grade}`}>{gap.grade}</td>
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
