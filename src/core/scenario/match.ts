import { type SeededRandom, seededRandom } from '../account/random.js'
import type { ScenarioRun } from '../model/scenario-run.js'
import type { State } from '../model/task.js'
import type { MatchInput } from './match-input.js'
import type { Scenario, Step } from './schema.js'

/** Why a step did not act on an occasion. `refused`: there was nothing to act on, since the call was refused. */
type Reason =
  | 'model'
  | 'account'
  | 'prompt'
  | 'status'
  | 'times'
  | 'count'
  | 'before'
  | 'after'
  | 'chance'
  | 'earlier'
  | 'refused'

/** What is wrong with the model or the account of an occasion; undefined when a step wants them, or any. */
const mismatch = (
  { models, accounts }: Candidate,
  model: string | undefined,
  account: string | undefined,
): Reason | undefined => {
  if (models !== undefined && !isAmong(models, model)) return 'model'
  return accounts !== undefined && !isAmong(accounts, account) ? 'account' : undefined
}

/** What else an occasion is wanted to be and is not; undefined when a step that wants its model and account is about it. */
const misfit = (
  { part, pattern, statuses }: Candidate,
  prompt: string | undefined,
  status: State | undefined,
): Reason | undefined => {
  if (part !== undefined && prompt?.includes(part) !== true) return 'prompt'
  if (pattern !== undefined && !pattern.test(prompt ?? '')) return 'prompt'
  return statuses !== undefined && !isAmong(statuses, status) ? 'status' : undefined
}

const isAmong = <T>(wanted: readonly T[], value: T | undefined): boolean =>
  value !== undefined && wanted.includes(value)

/**
 * What keeps a step from acting on the nth fitting occasion, but for chance; undefined when nothing does. `elapsed` is
 * in milliseconds since the scenario began.
 */
const reluctance = (
  candidate: Candidate,
  nth: number,
  acted: number,
  elapsed: number,
): Reason | undefined => {
  const { lowest, highest, nths, every } = candidate
  if (acted >= candidate.times) return 'times'
  if (nth < lowest || nth > highest || nth % every !== 0) return 'count'
  if (nths !== undefined && !nths.includes(nth)) return 'count'
  if (elapsed < candidate.from) return 'before'
  return elapsed >= candidate.until ? 'after' : undefined
}

/**
 * A step that is about occasions of a kind, ready to be held against one. Every candidate has every key, since looking
 * into objects of one shape is several times as fast as into objects of many; what is asked most stands first, close
 * together in memory.
 */
interface Candidate {
  /** Its place in the scenario, from 0. */
  readonly index: number
  /** Its place among the steps about such occasions, from 0. */
  readonly place: number
  /** A part of the prompt. */
  readonly part: string | undefined
  readonly pattern: RegExp | undefined
  readonly statuses: readonly State[] | undefined
  readonly times: number
  /** The lowest and the highest count on which it may act: two comparisons settle most occasions. */
  readonly lowest: number
  readonly highest: number
  readonly every: number
  readonly nths: readonly number[] | undefined
  /** Milliseconds after the scenario began. */
  readonly from: number
  readonly until: number
  readonly probability: number
  readonly models: readonly string[] | undefined
  readonly accounts: readonly string[] | undefined
  readonly step: Step
}

/** What steps are told apart by, whether they are about an occasion. */
type Kind = Pick<MatchInput, 'operation' | 'callback'>

/** A kind as a word: `b-video-task.create`, `f-video-v2.create delivery`. */
const kindOfOccasion = ({ operation, callback }: Kind): string =>
  callback === undefined ? operation : `${operation} ${callback.kind}`

/**
 * Works something out once for each kind of occasion that a scenario meets. It is kept beside the scenario and not in
 * it: what plays has to stay plain data.
 */
const oncePerKind = <T extends object>(work: (scenario: Scenario, kind: Kind) => T) => {
  const known = new WeakMap<Scenario, Map<string, T>>()
  return (scenario: Scenario, kind: Kind): T => {
    const name = kindOfOccasion(kind)
    const found = known.get(scenario)?.get(name)
    if (found !== undefined) return found
    const result = work(scenario, kind)
    known.set(scenario, (known.get(scenario) ?? new Map<string, T>()).set(name, result))
    return result
  }
}

/**
 * The steps of a scenario that are about an occasion of this operation, and about calls or messages as it is one. They
 * are looked up, so that the steps about everything else cost nothing.
 */
export const stepsAbout = oncePerKind((scenario, { operation, callback }): readonly Candidate[] =>
  scenario.steps
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => isAbout(step, operation, callback?.kind))
    .map(({ step, index }, place) => candidate(step, index, place)),
)

const candidate = (step: Step, index: number, place: number): Candidate => {
  const { when, times = Number.POSITIVE_INFINITY } = step
  const { prompt, callback } = when
  const { lowest, highest } = countsOf(when)
  return {
    index,
    place,
    part: prompt !== undefined && 'contains' in prompt ? prompt.contains : undefined,
    pattern: prompt !== undefined && 'matches' in prompt ? new RegExp(prompt.matches, 'u') : undefined,
    statuses: typeof callback === 'object' ? wanted(callback.status) : undefined,
    times,
    lowest,
    highest,
    every: when.every ?? 1,
    nths: wanted(when.nth),
    from: when.from ?? 0,
    until: when.until ?? Number.POSITIVE_INFINITY,
    probability: when.probability ?? 1,
    models: wanted(when.model),
    accounts: wanted(when.account),
    step,
  }
}

const countsOf = ({ nth, first = Number.POSITIVE_INFINITY, after = 0 }: Step['when']) => {
  const named = nth === undefined ? [1, Number.POSITIVE_INFINITY] : listOf(nth)
  const lowest = named.reduce((a, b) => Math.min(a, b))
  const highest = named.reduce((a, b) => Math.max(a, b))
  return { lowest: Math.max(lowest, after + 1), highest: Math.min(highest, first) }
}

const wanted = <T>(one: OneOrMore<T>): readonly T[] | undefined =>
  one === undefined ? undefined : listOf(one)

const isAbout = ({ when }: Step, operation: string, kind: 'challenge' | 'delivery' | undefined): boolean =>
  isOneOf(when.operation, (name) => isNamed(name, operation)) &&
  isOneOf(when.family, (id) => operation.startsWith(`${id}.`)) &&
  kindOf(when.callback) === kind

const kindOf = (callback: Step['when']['callback']): 'challenge' | 'delivery' | undefined =>
  typeof callback === 'object' ? 'delivery' : callback

/** Whether a name is the one that is written, or one of a family's: `b-video-task.*`. */
export const isNamed = (written: string, operation: string): boolean =>
  written.endsWith('.*') ? operation.startsWith(written.slice(0, -1)) : written === operation

type OneOrMore<T> = T | readonly T[] | undefined

export const listOf = <T>(one: OneOrMore<T>): readonly T[] =>
  one === undefined ? [] : Array.isArray(one) ? one : [one as T]

const isOneOf = <T>(wanted: OneOrMore<T>, test: (one: T) => boolean): boolean =>
  wanted === undefined || listOf(wanted).some(test)

/** An occasion as it was held against the steps of a scenario, and what each of them had against it. Plain data. */
export interface MatchTrace {
  readonly scenario: Scenario
  readonly operation: string
  readonly model: string | undefined
  readonly callback: MatchInput['callback']
  /** A letter for each step that is about such occasions, in order: why it did not act, or that it did. */
  readonly verdicts: string
  /** A number for each verdict that has one, in order: which occasion it was for the step, or what was drawn. */
  readonly numbers: readonly number[]
}

/**
 * What was found of an occasion. Plain data, and as little of it as can be: there is one for every call that the journal
 * keeps, and those of which the same was found share the finding.
 */
export interface Look {
  readonly finding: MatchTrace
  /** Milliseconds since the scenario began. */
  readonly elapsed: number
  /** How many occasions after the one of the finding it was: by so much each count is higher. */
  readonly later: number
}

/** What became of a step. */
type Verdict = Reason | 'acted'

const letters: Readonly<Record<Verdict, string>> = {
  acted: '!',
  model: 'm',
  account: 'a',
  prompt: 'p',
  status: 's',
  times: 't',
  count: 'c',
  before: 'b',
  after: 'f',
  chance: 'x',
  earlier: 'e',
  refused: 'r',
}
const verdicts = new Map(Object.entries(letters).map(([verdict, letter]) => [letter, verdict as Verdict]))

/** Whether a number says more: which occasion it was for the step, or what was drawn. */
const isNumbered = (verdict: Verdict): boolean => verdict === 'count' || verdict === 'chance'

const letterOf = (verdict: Verdict): string => letters[verdict]

/** What a step had against an occasion. */
export interface NearMiss {
  /** The step's place in its scenario, from 0. */
  readonly index: number
  readonly reason: Reason
  /** Which of the fitting occasions it was, from 1, or what was drawn; undefined for other reasons. */
  readonly number: number | undefined
}

/** The steps that were about an occasion and did not act on it. */
export const missesIn = (look: Look): NearMiss[] => {
  const { finding } = look
  const numbers = numbersIn(look).values()
  return stepsAbout(finding.scenario, finding).flatMap(({ index }, place) => {
    const reason = verdicts.get(finding.verdicts[place] ?? '') ?? 'acted'
    const number = isNumbered(reason) ? numbers.next().value : undefined
    return reason === 'acted' ? [] : [{ index, reason, number }]
  })
}

/** The numbers of a finding as they were at this look: counts alone, where it is a later one, since no run follows a draw. */
export const numbersIn = ({ finding: { numbers }, later }: Look): readonly number[] =>
  numbers.map((number) => number + later)

/** The same look, where the step that acted found nothing to act on. */
const refusedLook = (look: Look): Look => ({
  ...look,
  finding: { ...look.finding, verdicts: look.finding.verdicts.replace(letters.acted, letters.refused) },
})

/**
 * What became of each step, as it was last written. From one occasion to the next little of it changes, and as long as
 * nothing does, its text is not made again and all occasions share it.
 */
interface Sheet {
  readonly verdicts: Verdict[]
  /** By place; out of date where the verdict has none. */
  readonly numbers: number[]
  text: string | undefined
  /** The places whose verdicts have numbers; undefined, as the text is, where it has to be made again. */
  numbered: readonly number[] | undefined
}

/** A sheet with a place for each step. */
const newSheet = (places: number): Sheet => ({
  verdicts: Array.from({ length: places }, () => 'acted'),
  numbers: Array.from({ length: places }, () => 0),
  text: undefined,
  numbered: undefined,
})

const write = (sheet: Sheet, place: number, verdict: Verdict): void => {
  if (sheet.verdicts[place] === verdict) return
  sheet.verdicts[place] = verdict
  sheet.text = undefined
  sheet.numbered = undefined
}

/** A letter for each place. */
const textOf = (sheet: Sheet): string => {
  sheet.text ??= sheet.verdicts.map(letterOf).join('')
  return sheet.text
}

/** A number for each verdict that has one, in order. The list is just as long as it has to be, since many are kept. */
const numbersOf = (sheet: Sheet): readonly number[] => {
  sheet.numbered ??= sheet.verdicts.flatMap((verdict, place) => (isNumbered(verdict) ? [place] : []))
  return sheet.numbered.length === 0 ? noNumbers : sheet.numbered.map((place) => sheet.numbers[place] ?? 0)
}

const noNumbers: readonly number[] = []

/**
 * How the steps about occasions of a kind stand to one model and one account. What they have against these two is the
 * same on every such occasion, and is found out on the first one.
 */
interface Plan {
  /** Of the steps about such occasions those that want this model and this account, or any. */
  readonly open: readonly Candidate[]
  /** Whether one of them asks for the prompt, which may have to be looked for. */
  readonly asksPrompt: boolean
  readonly sheet: Sheet
}

/** The plan for an occasion; undefined where no step is about such ones. */
export const planFor = (scenario: Scenario, occasion: MatchInput): Plan | undefined => {
  const table = tableFor(scenario, occasion)
  if (table.candidates.length === 0) return undefined
  // All that no step names are as one, so that there are never more plans than the scenario has names for.
  const model = table.models.has(occasion.model) ? occasion.model : undefined
  const account = table.accounts.has(occasion.account) ? occasion.account : undefined
  return table.plans.get(model)?.get(account) ?? added(table, model, account)
}

type Name = string | undefined

interface Table {
  readonly candidates: readonly Candidate[]
  readonly models: ReadonlySet<Name>
  readonly accounts: ReadonlySet<Name>
  /** By model and account. */
  readonly plans: Map<Name, Map<Name, Plan>>
}

const tableFor = oncePerKind((scenario, kind): Table => {
  const candidates = stepsAbout(scenario, kind)
  return {
    candidates,
    models: new Set(candidates.flatMap(({ models = [] }) => models)),
    accounts: new Set(candidates.flatMap(({ accounts = [] }) => accounts)),
    plans: new Map(),
  }
})

const added = ({ candidates, plans }: Table, model: Name, account: Name): Plan => {
  const plan = planned(candidates, model, account)
  const ofModel = plans.get(model) ?? new Map<Name, Plan>()
  plans.set(model, ofModel.set(account, plan))
  return plan
}

const planned = (candidates: readonly Candidate[], model: Name, account: Name): Plan => {
  const sheet = newSheet(candidates.length)
  const open = candidates.filter((candidate) => {
    const reason = mismatch(candidate, model, account)
    if (reason !== undefined) write(sheet, candidate.place, reason)
    return reason === undefined
  })
  const asksPrompt = open.some(({ part, pattern }) => part !== undefined || pattern !== undefined)
  return { open, asksPrompt, sheet }
}

/**
 * Occasions that are alike, and on which no step acts for the reasons that it had on the one before them: they need only
 * be counted.
 */
interface Run {
  /** The steps that count them, by index. */
  readonly counting: readonly number[]
  /** From and until how many milliseconds after the scenario began: time may go back as well. */
  readonly from: number
  readonly until: number
  /** How many occasions it has room for. */
  readonly length: number
}

/** How long a step has the same verdict, as long as the occasions are alike. */
type Stay = Omit<Run, 'counting'>

/**
 * The run of those that follow an occasion as its plan has it on its sheet; undefined where the next one may be another
 * matter. `seen`: how many fitting occasions each step has had with it, by index.
 */
export const runAfter = ({ open, sheet }: Plan, seen: readonly number[]): Run | undefined => {
  let { from, until, length } = forEver
  const counting: number[] = []
  for (const candidate of open) {
    const { index, place } = candidate
    const verdict = sheet.verdicts[place]
    // It does not fit, and will not fit any that is like this one.
    if (verdict === 'prompt' || verdict === 'status') continue
    const stay = stayOf(candidate, verdict, seen[index] ?? 0)
    if (stay === undefined) return undefined
    from = Math.max(from, stay.from)
    until = Math.min(until, stay.until)
    length = Math.min(length, stay.length)
    counting.push(index)
  }
  return length < 1 ? undefined : { counting, from, until, length }
}

const forEver: Stay = {
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  length: Number.POSITIVE_INFINITY,
}

/** How long what `reluctance` (reasons.ts) said of the nth occasion stays true; undefined where that is not plain. */
const stayOf = (candidate: Candidate, verdict: Verdict | undefined, nth: number): Stay | undefined => {
  const { lowest, highest, every, nths, from, until } = candidate
  if (verdict === 'times' || (verdict === 'count' && nth > highest)) return forEver
  if (verdict === 'count') return nth < lowest ? { ...forEver, length: lowest - 1 - nth } : undefined
  // It comes after the count, so that it stays only where the next counts are good ones too.
  if (every !== 1 || nths !== undefined) return undefined
  if (verdict === 'before') return { ...forEver, until: from, length: highest - nth }
  if (verdict === 'after') return { ...forEver, from: Math.max(from, until), length: highest - nth }
  return undefined
}

/** An occasion that was held against every step. */
interface Asked {
  readonly finding: MatchTrace
  readonly account: string
  /** Undefined as well where no step asks for it. */
  readonly prompt: string | undefined
}

/** The latest of a play, and what follows from it for those that are like it. */
interface Latest extends Asked {
  readonly asksPrompt: boolean
  readonly run: Run | undefined
  /** How many occasions of the run there have been. */
  passed: number
}

/**
 * Kept beside what plays, which has to stay plain data. No run outlives what it follows from, which is the latest
 * occasion and what was `seen` and `acted` by then:
 * - `hold` (play.ts) writes to all three, and either goes on with the run or notes what has come in its place;
 * - `takeBack` writes to `acted`, perhaps some occasions later, and forgets the run;
 * - nobody else writes: what is copied, restored, read or begun anew is another object, and has no run yet.
 */
const latests = new WeakMap<ScenarioRun, Latest>()

/** Longer prompts are not worth the memory. */
const MOST_CHARACTERS = 10_000

/** Counts an occasion that goes on with a run; undefined for one that has to be held against every step. */
const countedQuietly = (play: ScenarioRun, occasion: MatchInput): Look | undefined => {
  const latest = latests.get(play)
  const run = latest?.run
  if (run === undefined || latest === undefined || latest.passed >= run.length) return undefined
  const elapsed = occasion.now - play.since
  if (elapsed < run.from || elapsed >= run.until || !isLike(latest, occasion)) return undefined
  for (const index of run.counting) play.seen[index] = (play.seen[index] ?? 0) + 1
  latest.passed += 1
  return { finding: latest.finding, elapsed, later: latest.passed }
}

/**
 * Notes an occasion that was held against every step. What follows is worked out after the second of two that are alike,
 * so that creates and queries in turns, or prompts that all differ, do not pay for runs that never come about.
 */
const noteLatest = (play: ScenarioRun, plan: Plan, { finding, account, prompt }: Asked): void => {
  const { asksPrompt } = plan
  const before = latests.get(play)
  const isSecond =
    before?.account === account && before.prompt === prompt && isSameKind(before.finding, finding)
  const run = isSecond ? runAfter(plan, play.seen) : undefined
  if (prompt !== undefined && prompt.length > MOST_CHARACTERS) latests.delete(play)
  else latests.set(play, { finding, account, asksPrompt, prompt, run, passed: 0 })
}

/** The next occasion is held against every step. */
export const forgetRun = (play: ScenarioRun): void => {
  latests.delete(play)
}

/** Whether an occasion has all in common with the latest one that its steps ask about, but for the time. */
const isLike = ({ finding, account, asksPrompt, prompt }: Latest, occasion: MatchInput): boolean =>
  account === occasion.account &&
  isSameKind(finding, occasion) &&
  (!asksPrompt || prompt === occasion.prompt())

type Told = Pick<MatchInput, 'operation' | 'model' | 'callback'>

const isSameKind = (a: Told, b: Told): boolean =>
  a.operation === b.operation &&
  a.model === b.model &&
  a.callback?.kind === b.callback?.kind &&
  a.callback?.status === b.callback?.status

/** The step that acts on an occasion, named so that an explanation can point at it. */
export interface MatchedStep {
  readonly scenario: string
  /** From 1, as people count. */
  readonly step: number
  readonly says: string | undefined
  readonly does: Step['then']
  /** What its delays are drawn from. */
  readonly draw: SeededRandom
}

/** Asks every step, and notes on the sheet what came of it. */
const ask = (
  play: ScenarioRun,
  { open, sheet }: Plan,
  { account, callback, now }: MatchInput,
  prompt: string | undefined,
  isTaken: boolean,
): MatchedStep | undefined => {
  const elapsed = now - play.since
  let matchedStep: MatchedStep | undefined
  for (const candidate of open) {
    const other = misfit(candidate, prompt, callback?.status)
    const nth = other === undefined ? count(play, candidate) : 0
    const isEarlier = isTaken || matchedStep !== undefined
    const verdict = other ?? (isEarlier ? 'earlier' : judge(play, candidate, sheet, account, nth, elapsed))
    if (verdict === 'acted') matchedStep = act(play, candidate, account, nth)
    write(sheet, candidate.place, verdict)
  }
  return matchedStep
}

const count = ({ seen }: ScenarioRun, { index }: Candidate): number => {
  const nth = (seen[index] ?? 0) + 1
  seen[index] = nth
  return nth
}

/** Whether a step acts on the nth occasion that fits it, and why not. A number that says why is noted on the sheet. */
const judge = (
  play: ScenarioRun,
  candidate: Candidate,
  { numbers }: Sheet,
  account: string,
  nth: number,
  elapsed: number,
): Verdict => {
  const reason = reluctance(candidate, nth, play.acted[candidate.index] ?? 0, elapsed)
  if (reason === 'count') numbers[candidate.place] = nth
  if (reason !== undefined) return reason
  if (candidate.probability === 1) return 'acted'
  const fraction = drawFrom(play, candidate, account, nth).fraction('scenario')
  if (fraction < candidate.probability) return 'acted'
  numbers[candidate.place] = fraction
  return 'chance'
}

const act = (play: ScenarioRun, candidate: Candidate, account: string, nth: number): MatchedStep => {
  const { scenario, acted } = play
  const { index, step } = candidate
  acted[index] = (acted[index] ?? 0) + 1
  return {
    scenario: scenario.name,
    step: index + 1,
    says: step.says,
    does: step.then,
    draw: drawFrom(play, candidate, account, nth),
  }
}

/** One draw for each fitting occasion of each step: what happens at other steps changes nothing here. */
const drawFrom = (
  { scenario, seed }: ScenarioRun,
  { index }: Candidate,
  account: string,
  nth: number,
): SeededRandom => seededRandom(seed, account, `${scenario.name}|${index}|${nth}`)

/** What came of holding an occasion against what plays. */
export interface ScenarioMatch {
  readonly matchedStep: MatchedStep | undefined
  /** Those scenarios that have steps about such occasions. */
  readonly traces: readonly Look[]
}

/** An occasion once it has been held against one scenario. */
interface Held {
  readonly look: Look
  readonly matchedStep: MatchedStep | undefined
}

export const noMatch: ScenarioMatch = { matchedStep: undefined, traces: [] }

/**
 * Looks for the first step of all that are playing which acts on an occasion, and counts the occasion for every step
 * that is about such ones.
 */
export const matchStep = (playing: readonly ScenarioRun[], occasion: MatchInput): ScenarioMatch => {
  let matchedStep: MatchedStep | undefined
  let traces: readonly Look[] | undefined
  for (const play of playing) {
    const held = hold(play, occasion, matchedStep !== undefined)
    if (held === undefined) continue
    play.latest[kindOfOccasion(occasion)] = held.look
    // The journal keeps one for each call: an array that is pushed to would have room for sixteen more.
    traces = traces === undefined ? [held.look] : [...traces, held.look]
    matchedStep ??= held.matchedStep
  }
  return traces === undefined ? noMatch : { matchedStep, traces }
}

/**
 * Holds an occasion against one scenario; undefined where no step is about such ones. `isTaken`: a step of another
 * scenario has acted.
 */
const hold = (play: ScenarioRun, occasion: MatchInput, isTaken: boolean): Held | undefined => {
  const quiet = isTaken ? undefined : countedQuietly(play, occasion)
  if (quiet !== undefined) return { look: quiet, matchedStep: undefined }
  const plan = planFor(play.scenario, occasion)
  if (plan === undefined) return undefined
  const prompt = plan.asksPrompt ? occasion.prompt() : undefined
  const matchedStep = ask(play, plan, occasion, prompt, isTaken)
  const finding = findingOn(play.scenario, plan.sheet, occasion)
  noteLatest(play, plan, { finding, account: occasion.account, prompt })
  return { look: { finding, elapsed: occasion.now - play.since, later: 0 }, matchedStep }
}

const findingOn = (
  scenario: Scenario,
  sheet: Sheet,
  { operation, model, callback }: MatchInput,
): MatchTrace => ({
  scenario,
  operation,
  model,
  callback,
  verdicts: textOf(sheet),
  numbers: numbersOf(sheet),
})

/**
 * Takes back that a step acted, where it found nothing to act on: a call that was to make a task and was refused. The
 * occasion stays counted.
 */
export const takeBack = (
  playing: readonly ScenarioRun[],
  { matchedStep, traces }: ScenarioMatch,
): ScenarioMatch => {
  if (matchedStep === undefined) return { matchedStep, traces }
  const refused = traces.map(refusedLook)
  const index = matchedStep.step - 1
  for (const look of refused) {
    const { finding } = look
    const play = playing.find((one) => one.scenario === finding.scenario)
    if (play !== undefined) play.latest[kindOfOccasion(finding)] = look
    if (play?.scenario.name !== matchedStep.scenario) continue
    play.acted[index] = (play.acted[index] ?? 1) - 1
    forgetRun(play)
  }
  return { matchedStep: undefined, traces: refused }
}
