import { computed, signal } from '@preact/signals'
import type { PlayingScenario, ReadyMadeScenario } from '../../generated/control-api.js'
import type { ErrorName, OperationName } from '../../generated/names.js'
import { invoke, place, requests, say, scenarios } from '../app.js'
import { useAnswer } from '../parts/answer.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { Message, Scroll, Section } from '../parts/facts.js'
import { SearchField } from '../parts/filters.js'
import { Time } from '../parts/time.js'
import { editScenario, ScenarioEditor } from './scenario-editor.js'

const subjects = {
  create: 'Creates',
  poll: 'Polls',
  callback: 'Callbacks',
  result: 'Results',
  money: 'Money and agreement',
} as const

const search = computed(() => place.value.query.search ?? '')

/** What plays and how its steps stand, the ready-made scenarios, and an editor for one's own. */
export const ScenariosView = () => {
  const { answer, problem } = useAnswer('scenarios.list', {}, [])
  const found = (answer?.items ?? []).filter(({ name, description, advice }) =>
    `${name} ${description} ${advice}`.toLowerCase().includes(search.value.toLowerCase()),
  )
  const groups = [...new Set(found.map(({ about }) => about))]
  return (
    <div class="split with-detail both">
      <Scroll label="Scenarios" class="padded">
        <FailNext />
        <Section title={scenarios.value.length === 0 ? 'Nothing plays' : 'Playing, the first is asked first'}>
          {scenarios.value.map((run) => (
            <Run key={run.name} run={run} />
          ))}
        </Section>
        <Section title="Ready-made" aside={<SearchField label="Search scenarios" placeholder="429, money" />}>
          {problem !== undefined && <Message isError text={problem.message} hint={problem.hint} />}
          {answer !== undefined && found.length === 0 && (
            <Message text="No scenario matches." hint="Change the search." />
          )}
          {groups.map((about) => (
            <div key={about ?? ''}>
              <h3>{about === null ? 'Others' : subjects[about]}</h3>
              {found
                .filter((one) => one.about === about)
                .map((scenario) => (
                  <ReadyMade key={scenario.name} scenario={scenario} />
                ))}
            </div>
          ))}
        </Section>
      </Scroll>
      <aside class="detail" aria-label="Editor">
        <ScenarioEditor />
      </aside>
    </div>
  )
}

const operation = signal('')
const error = signal('')

/** Button that lets the next create fail, with the operation that was called last and an error that clients must bear. */
const FailNext = () => {
  const { answer: words } = useAnswer('scenarios.words', {}, [])
  if (words === undefined) return null
  const creates = words.operations.filter((id) => /\.(create|upload)$/.test(id))
  const latest = requests.value.find(({ operation: id }) => creates.includes(id ?? ''))?.operation
  const chosen = operation.value || latest || 'b-video-task.create'
  const errors = words.errors[chosen.split('.')[0] ?? ''] ?? []
  const usual = errors.find((name) => /overload|unavailable|internal|server/i.test(name)) ?? errors[0] ?? ''
  const named = errors.includes(error.value) ? error.value : usual
  return (
    <Section title="Let the next create fail">
      <div class="buttons">
        <Choice label="Operation" value={chosen} of={creates} choose={(id) => (operation.value = id)} />
        <Choice label="Error" value={named} of={errors} choose={(name) => (error.value = name)} />
        <Button
          act={async () => {
            await invoke('scenario.play', {
              name: 'fail-next',
              description: `The next ${chosen} fails with ${named}.`,
              steps: [
                {
                  when: { operation: chosen as OperationName },
                  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
                  then: { answer: { error: named as ErrorName } },
                  times: 1,
                },
              ],
            })
            say(`The next ${chosen} fails with ${named}.`)
          }}
        >
          Fail the next one
        </Button>
      </div>
    </Section>
  )
}

const stop = async (name: string): Promise<void> => {
  await invoke('scenario.stop', { name })
  say(`${name} has stopped.`)
}

const play = async (name: string): Promise<void> => {
  await invoke('scenario.play', { name })
  say(`${name} plays from now on.`)
}

const Run = ({ run: { name, says, since, steps } }: { run: PlayingScenario }) => (
  <article class="run">
    <div>
      <strong>{name}</strong> <span class="quiet">since</span> <Time at={since} />{' '}
      <Button act={() => stop(name)} label={`Stop ${name}`}>
        ■ stop
      </Button>
    </div>
    <p>{says}</p>
    <table>
      <thead>
        <tr>
          <th>step</th>
          <th>seen</th>
          <th>acted</th>
          <th>last miss</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ step, says: label, seen, acted, times, required, lastMiss }) => (
          <tr key={step}>
            <td>
              {step} {label}
              {required && acted === 0 && <span class="outcome-effect"> required</span>}
            </td>
            <td>{seen}</td>
            <td>
              {acted > 0 && <span class="outcome-effect">⚡︎ </span>}
              {acted}
              {times !== null && ` of ${times}`}
            </td>
            <td class="quiet">
              {lastMiss ?? (acted > 0 ? 'it acted on the latest call' : 'no such call yet')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </article>
)

const ReadyMade = ({ scenario: { name, description, advice, text } }: { scenario: ReadyMadeScenario }) => {
  const isPlaying = scenarios.value.some((run) => run.name === name)
  return (
    <details class="ready-made" open={place.value.id === name}>
      <summary>
        <code>{name}</code> {isPlaying && <span class="outcome-effect">⚡︎ plays</span>}{' '}
        <span class="description">{description}</span>
      </summary>
      <p class="quiet">A robust client: {advice}</p>
      <div class="buttons">
        <Button act={() => (isPlaying ? stop(name) : play(name))}>{isPlaying ? '■ stop' : '▶ play'}</Button>
        <Button act={() => editScenario(text)}>Open in the editor</Button>
      </div>
    </details>
  )
}
