import type { ExplainedRequest, PlayedRecord } from '../../generated/control-api.js'
import { Section } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { Sign } from '../parts/status.js'

type Tried = ExplainedRequest['tried']
type Condition = Tried[number]['conditions'][number]

interface PlayedProps {
  readonly scenario: PlayedRecord | null
  /** Conditions of the steps that did not act. Default: a sentence for each step. */
  readonly tried?: Tried
  /** Whether the step that acted stands elsewhere; default: it does not. */
  readonly isActedSaid?: boolean
}

/** The step that acted, and those that did not, with what held of each and what did not. */
export const PlayedScenario = ({ scenario, tried = [], isActedSaid = false }: PlayedProps) => {
  if (scenario === null) return null
  const { nearMisses } = scenario
  const acted = isActedSaid ? null : scenario.acted
  if (acted === null && nearMisses.length === 0) return null
  return (
    <Section title="Scenarios">
      {acted !== null && (
        <p>
          <Link to={{ view: 'scenarios', id: acted.scenario }}>{acted.scenario}</Link>, step {acted.step},
          acted
          {acted.says === null ? '' : ` (${acted.says})`}: <code>{acted.effects.join(', ')}</code>
        </p>
      )}
      {nearMisses.map(({ scenario: name, step, why }) => (
        <div key={`${name} ${step}`}>
          <p class="quiet">
            <Link to={{ view: 'scenarios', id: name }}>{name}</Link>, step {step}, did not act: {why}
          </p>
          <Conditions
            conditions={tried.find((one) => one.scenario === name && one.step === step)?.conditions ?? []}
          />
        </div>
      ))}
    </Section>
  )
}

const words = new Map<boolean | null, readonly [sign: string, word: string, outcome: string]>([
  [true, ['✓', 'holds', 'fine']],
  [false, ['✕', 'does not hold', 'refused']],
  [null, ['–', 'was not looked at', 'open']],
])

const Conditions = ({ conditions }: { conditions: readonly Condition[] }) =>
  conditions.length === 0 ? null : (
    <ul class="conditions">
      {conditions.map(({ says, holds }) => {
        const [sign, word, outcome] = words.get(holds) ?? ['', '', '']
        return (
          <li key={says} class={`outcome-${outcome}`}>
            <Sign sign={sign} /> {says} <span class="visually-hidden">{word}</span>
          </li>
        )
      })}
    </ul>
  )
