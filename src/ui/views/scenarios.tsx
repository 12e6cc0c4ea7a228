import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PlayingScenario, ReadyMadeScenario } from '../../generated/control-api.js'
import type { ErrorName, OperationName } from '../../generated/names.js'
import { invoke, notice, requests, route, scenarios, showNotice } from '../app.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { SearchField, search } from '../parts/filters.js'
import { ErrorMessage, Message, Scroll, Section, TableHead } from '../parts/layout.js'
import { Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import type { ScenarioWords } from '../state/completion.js'
import { isUsedUp } from '../state/request-rows.js'
import { editScenario, ScenarioEditor } from './scenario-editor.js'

const subjects = {
  create: 'Creates',
  poll: 'Polls',
  callback: 'Callbacks',
  result: 'Results',
  money: 'Money and agreement',
} as const

/** What plays and how its steps stand, the ready-made scenarios, and an editor for one's own. */
export const ScenariosView = () => {
  const { data, error } = useFetch('scenarios.list', {}, [])
  const matching = (data?.items ?? []).filter(({ name, description, advice, about }) =>
    `${name} ${description} ${advice} ${about ?? ''}`.toLowerCase().includes(search.value),
  )
  const groups = [...new Set(matching.map(({ about }) => about))]
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
          <ErrorMessage error={error} />
          {data !== undefined && matching.length === 0 && <Message text="No scenario matches." />}
          {groups.map((about) => (
            <div key={about ?? ''}>
              <h3>{about === null ? 'Others' : subjects[about]}</h3>
              {matching
                .filter((scenario) => scenario.about === about)
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

/** What was chosen for the next calls; empty: nothing yet. */
const chosenOperation = signal('')
const chosenError = signal('')
const chosenTimes = signal(1)

/** Statuses for a download, which is of no family and has no named errors. */
const DOWNLOAD_STATUSES = ['403', '404', '500', '502', '503']

/** Errors of an operation with their statuses, in the order of those. */
const errorsOf = (
  words: ScenarioWords,
  operation: string,
): readonly (readonly [name: string, text: string])[] => {
  if (operation === 'results.download') return DOWNLOAD_STATUSES.map((status) => [status, status] as const)
  const [family = ''] = operation.split('.')
  return (words.errors[family] ?? [])
    .map((name) => [name, `${words.statuses[family]?.[name] ?? ''} ${name}`] as const)
    .sort(([, one], [, other]) => one.localeCompare(other))
}

/** Button that lets the next calls fail; by default the next create of the operation called last, with a server error. */
const FailNext = () => {
  const { data: words } = useFetch('scenarios.words', {}, [])
  if (words === undefined) return null
  const creates = words.operations.filter((id) => /\.(create|upload)$/.test(id))
  const others = words.operations.filter((id) => !creates.includes(id))
  const latest = requests.value.find(({ operation: id }) => creates.includes(id ?? ''))?.operation
  const operation = chosenOperation.value || latest || 'b-video-task.create'
  const errors = errorsOf(words, operation)
  const serverError = errors.find(([name]) => /overload|unavailable|internal|server|503/i.test(name))
  const known = errors.some(([name]) => name === chosenError.value)
  const error = known ? chosenError.value : ((serverError ?? errors[0])?.[0] ?? '')
  const times = chosenTimes.value
  return (
    <Section title="Let the next calls fail">
      <div class="buttons">
        <Choice
          label="Operation"
          value={operation}
          options={[...creates, ...others]}
          onChange={(id) => (chosenOperation.value = id)}
        />
        <Choice label="Error" value={error} options={errors} onChange={(id) => (chosenError.value = id)} />
        <Choice
          label="How often"
          value={String(times)}
          options={[1, 2, 3, 5, 10].map((count) => [String(count), count === 1 ? 'once' : `${count} times`])}
          onChange={(count) => (chosenTimes.value = Number(count))}
        />
        <Button onClick={() => failNext(operation, error, times)}>
          {times === 1 ? 'Fail the next one' : `Fail the next ${times}`}
        </Button>
      </div>
    </Section>
  )
}

const failNext = async (operation: string, error: string, times: number): Promise<void> => {
  const next = times === 1 ? `The next ${operation} fails` : `The next ${times} calls of ${operation} fail`
  const description = `${next} with ${error}.`
  const answer = /^\d+$/.test(error) ? { status: Number(error) } : { error: error as ErrorName }
  const step = {
    when: { operation: operation as OperationName },
    // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
    then: { answer },
    times,
  }
  await invoke('scenario.play', { name: 'fail-next', description, steps: [step] })
  showNotice(description)
}

// What it says of calls to come is not true any more once they have come.
effect(() => {
  const isOver = scenarios.value.some((run) => isUsedUp(run) && run.says === notice.peek()?.text)
  if (isOver) notice.value = undefined
})

const stop = async (name: string): Promise<void> => {
  await invoke('scenario.stop', { name })
  showNotice(`${name} has stopped.`)
}

const play = async (name: string): Promise<void> => {
  await invoke('scenario.play', { name })
  showNotice(`${name} plays from now on.`)
}

const Run = ({ run, run: { name, says, since, steps } }: { run: PlayingScenario }) => (
  <article class="run">
    <div>
      <strong>{name}</strong> {isUsedUp(run) && <span class="outcome-effect">used up, </span>}{' '}
      <span class="quiet">since</span> <Time at={since} />{' '}
      <Button onClick={() => stop(name)} aria-label={`Stop ${name}`}>
        ■ stop
      </Button>
    </div>
    <p>{says}</p>
    <table>
      <TableHead names={['step', 'seen', 'acted', 'last miss']} />
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
  const isNamed = route.value.id === name
  const line = useRef<HTMLDetailsElement>(null)
  // A link names it, such as that of a call on which it acted. What plays stands at the top.
  useEffect(() => {
    if (isNamed && !isPlaying) line.current?.scrollIntoView({ block: 'center' })
  }, [isNamed])
  return (
    <details ref={line} class="ready-made" open={isNamed}>
      <summary>
        <code>{name}</code> {isPlaying && <span class="outcome-effect">⚡︎ plays</span>}{' '}
        <span class="quiet">{description}</span>
      </summary>
      <p class="quiet">A robust client: {advice}</p>
      <div class="buttons">
        <Button onClick={() => (isPlaying ? stop(name) : play(name))}>
          {isPlaying ? '■ stop' : '▶ play'}
        </Button>
        <Button onClick={() => editScenario(text)}>Open in the editor</Button>
      </div>
    </details>
  )
}
