import type { Step } from '../scenario.js'
import { answerComplaints } from './answer-complaints.js'
import { callbackComplaints } from './callback-complaints.js'
import { type Catalogue, type CatalogueFamily, familiesOf, operationsOf } from './catalogue.js'
import type { Diagnostic, Path } from './complaint.js'
import { taskComplaints } from './task-complaints.js'
import { resultComplaints, transportComplaints } from './transport-complaints.js'
import { whenComplaints } from './when-complaints.js'

/**
 * What cannot be together, or cannot be about what the step is about.
 * @param catalogue left out where it is not known what the step is about
 */
export const impossibleCombinations = (
  step: Pick<Step, 'when' | 'then'>,
  at: Path,
  catalogue?: Catalogue,
): Diagnostic[] => {
  const { when, then } = step
  const inThen = (part: string) => (message: string) => ({
    path: [...at, 'then', part],
    isKey: true,
    message,
  })
  return [
    ...whenComplaints(when, catalogue).map((message) => ({ path: [...at, 'when'], isKey: true, message })),
    ...(catalogue === undefined ? [] : misplaced(step, catalogue)).map(([part, message]) =>
      inThen(part)(message),
    ),
    ...taskComplaints(then.task, familiesAbout(when, catalogue)).map(inThen('task')),
    ...answerComplaints(then).map(inThen('answer')),
    ...transportComplaints(then.transport).map(inThen('transport')),
    ...resultComplaints(then).map(inThen('result')),
    ...callbackComplaints(step).map(inThen('callback')),
  ]
}

const familiesAbout = (when: Step['when'], catalogue: Catalogue | undefined): readonly CatalogueFamily[] =>
  catalogue === undefined ? [] : familiesOf(when, catalogue).filter(({ hasLives }) => hasLives)

type Part = keyof Step['then']

const ofCalls: readonly Part[] = ['answer', 'transport', 'task', 'asset', 'result', 'account', 'clock']

/** Parts that the step's occasions have no use for. */
const misplaced = ({ when, then }: Pick<Step, 'when' | 'then'>, catalogue: Catalogue): [Part, string][] => {
  const isThere = (part: Part) => then[part] !== undefined
  if (when.callback !== undefined)
    return ofCalls
      .filter(isThere)
      .map((part) => [part, `${part} is for calls, and this step is about messages to a receiver`])
  const operations = operationsOf(when, catalogue)
  const creates = familiesAbout(when, catalogue).map(({ id }) => `${id}.create`)
  const useful: readonly [Part, readonly string[], string][] = [
    ['task', creates, 'creates of video tasks'],
    ['asset', ['d-assets.upload'], 'd-assets.upload'],
    ['result', ['results.download'], 'results.download'],
    ['callback', [], 'messages to a receiver, which a step is about when it names when.callback'],
  ]
  return useful
    .filter(([part]) => isThere(part))
    .flatMap(([part, names, what]) => {
      const other = operations.find((name) => !names.includes(name))
      return other === undefined
        ? []
        : [
            [
              part,
              `${part} is for ${what}; this step is about ${other}${names.some((name) => operations.includes(name)) ? ' too' : ''}`,
            ],
          ]
    })
}
