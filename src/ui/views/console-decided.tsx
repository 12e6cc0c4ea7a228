import type { ComponentChildren } from 'preact'
import type { DryRun } from '../../generated/control-api.js'
import { CopyValue } from '../parts/copy.js'
import { Facts, Section } from '../parts/facts.js'
import { JsonView } from '../parts/json.js'
import { StatusMark } from '../parts/status.js'
import { dateAndTime, duration } from '../state/time.js'

/** What a call would be answered, and what it would make. */
export const Decided = ({ dryRun }: { dryRun: DryRun }) => {
  const { status, refusedBy, explanation, task, asset, answer, ignored, warnings, scenario } = dryRun
  return (
    <div role="status">
      <p class={status < 400 ? 'why' : 'why outcome-refused'}>
        <span class="sign">{status < 400 ? '✓' : '✕'}</span> {status} {verdictOf(dryRun)}
      </p>
      {refusedBy.map((refusal, index) => (
        <p key={index} class="quiet">
          {index > 0 && `${sentenceOf(refusal)} `}
          <CopyValue value={refusal.rule} /> · {refusal.place}
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
      {task !== null && (
        <Section title="What it would make">
          <Facts
            of={[
              ['task', <code>{task.id}</code>],
              ['price', task.price],
              ...task.timeline.map(({ at, status: state }, index): [string, ComponentChildren] => [
                index === 0 ? 'timeline' : '',
                <>
                  <code>{dateAndTime(at)}</code> <StatusMark status={state} />{' '}
                  <span class="quiet">
                    {index > 0 && `after ${duration(Date.parse(at) - Date.parse(task.createdAt))}`}
                  </span>
                </>,
              ]),
            ]}
          />
          <JsonView value={task.order} />
        </Section>
      )}
      {asset !== null && <p>It would make the asset {asset.id}.</p>}
      <Section title="The answer">
        {answer == null ? <p class="quiet">a file</p> : <JsonView value={answer} />}
      </Section>
    </div>
  )
}

const verdictOf = ({ refusedBy: [refusal], scenario }: DryRun): string => {
  if (refusal !== undefined) return sentenceOf(refusal)
  return scenario?.acted != null ? 'A scenario would act on it.' : 'It would be accepted.'
}

const sentenceOf = ({ message, field, allowed }: DryRun['refusedBy'][number]): string => {
  const text = message ?? `${field ?? 'the call'} must be ${allowed ?? 'otherwise'}`
  return text.endsWith('.') ? text : `${text}.`
}
