import type { ComponentChildren } from 'preact'
import type { DryRun, RefusalRecord } from '../../generated/control-api.js'
import { CopyValue } from '../parts/copy.js'
import { JsonView } from '../parts/json.js'
import { Facts, Section } from '../parts/layout.js'
import { PlaceLinks } from '../parts/place-link.js'
import { Sign, StatusMark } from '../parts/status.js'
import { dateAndTime, formatDuration } from '../state/format.js'
import { refusalText } from '../state/request-rows.js'

/** What a call would be answered, and why. `empty`: the parameter of its path without a value. */
export const Verdict = ({ dryRun, empty }: { dryRun: DryRun; empty: string | undefined }) => {
  const { status, refusedBy, explanation, ignored, warnings, scenario } = dryRun
  if (empty !== undefined) return <p class="problem">The path needs a {empty}.</p>
  return (
    <>
      <p class={status < 400 ? 'why' : 'why outcome-refused'} role="status">
        <span class="quiet">would be</span> <Sign sign={status < 400 ? '✓' : '✕'} /> {status}{' '}
        {verdictOf(dryRun)}
      </p>
      {refusedBy.map((refusal, index) => (
        <p key={index} class="quiet">
          {index > 0 && `${sentenceOf(refusal)} `}
          <CopyValue value={refusal.rule} /> · <PlaceLinks place={refusal.place} field={refusal.field} />
        </p>
      ))}
      {scenario?.acted != null && (
        <p class="outcome-effect">
          ⚡︎ {scenario.acted.scenario}, step {scenario.acted.step}, would act:{' '}
          {scenario.acted.effects.join(', ')}
        </p>
      )}
      {ignored.length > 0 && <p>Ignored: {ignored.join(', ')}, which the interface does not know.</p>}
      {warnings.map((warning) => (
        <p key={warning}>{warning}.</p>
      ))}
      {status === 404 && explanation.map((sentence) => <p key={sentence}>{sentence}</p>)}
    </>
  )
}

interface PromisedProps {
  readonly dryRun: DryRun
  /** Closed where the call has an answer already. */
  readonly isOpen: boolean
}

/** What a call would make, and the body of its answer. */
export const Promised = ({ dryRun: { task, asset, answer }, isOpen }: PromisedProps) => (
  <details open={isOpen} class="promised">
    <summary>{isOpen ? 'Before it is sent' : 'If it is sent once more'}</summary>
    {task !== null && (
      <Section title="What it would make">
        <Facts
          entries={[
            ['task', <code>{task.id}</code>],
            ['price', task.price],
            ...task.timeline.map(({ at, status: state }, index): [string, ComponentChildren] => [
              index === 0 ? 'timeline' : '',
              <>
                <code>{dateAndTime(at)}</code> <StatusMark status={state} />{' '}
                <span class="quiet">
                  {index > 0 && `after ${formatDuration(Date.parse(at) - Date.parse(task.createdAt))}`}
                </span>
              </>,
            ]),
          ]}
        />
        <JsonView value={task.order} />
      </Section>
    )}
    {asset !== null && <p>It would make the asset {asset.id}.</p>}
    <Section title="The answer that it would get">
      {answer == null ? <p class="quiet">a file</p> : <JsonView value={answer} />}
    </Section>
  </details>
)

const verdictOf = ({ refusedBy: [refusal], scenario }: DryRun): string => {
  if (refusal !== undefined) return sentenceOf(refusal)
  return scenario?.acted != null ? 'A scenario would act on it.' : 'It would be accepted.'
}

/** The text of a refusal with its full stop, which messages of some families lack. */
const sentenceOf = (refusal: RefusalRecord): string => refusalText(refusal).replace(/\.?$/, '.')
