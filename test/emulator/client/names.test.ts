import { expect, test } from 'vitest'
import type {
  EmulatorHandles,
  EmulatorSettings,
  ErrorName,
  OperationName,
  RuleId,
  ScenarioDocument,
  ScenarioFile,
  ScenarioName,
  SettingName,
  TaskFamilyName,
  TaskStatus,
} from '../../../src/index.js'
import { useEmulator } from '../../../src/testing/node-test.js'

/** Compiled and never run: each line under a directive must not compile, or the type check fails. */
const misspelt = async (emulator: EmulatorHandles, given: string): Promise<void> => {
  await emulator.requests.list({ operation: 'b-video-task.create' })
  // @ts-expect-error an operation that is not there
  await emulator.requests.list({ operation: 'b-video-task.crate' })
  await emulator.requests.list({ operation: given as OperationName })
  await emulator.requests.list({ problem: 'b-video-task.schema' })
  await emulator.requests.list({ problem: 'any' })
  // @ts-expect-error the beginning of no rule
  await emulator.requests.list({ problem: 'b-video-task.shcema' })
  await emulator.fail('b-video-task.create', { error: 'ServerOverloaded' })
  // @ts-expect-error an operation that is not there
  await emulator.fail('b-video-task.crate', { status: 500 })
  // @ts-expect-error an error that no family has
  await emulator.fail('b-video-task.create', { error: 'ServerOverlaoded' })
  await emulator.fail(given as OperationName, { error: given as ErrorName })
  // @ts-expect-error an error of another family
  await emulator.fail('c-video.create', { error: 'ServerOverloaded' })
  await emulator.fail('c-video.*', { error: 'insufficient_user_quota' })
  // @ts-expect-error an error of another family, and a pattern
  await emulator.fail('c-video.*', { error: 'ServerOverloaded' })
  await emulator.clock.advance('1h30m')
  await emulator.clock.advance('1.5s')
  // @ts-expect-error a duration with a space, and a unit that is not there
  await emulator.clock.advance('10 min')
  // @ts-expect-error a duration without a unit
  await emulator.idle({ timeout: '10' })
  await emulator.tasks.list({ status: 'succeeded', family: 'b-video-task' })
  // @ts-expect-error a status that is not there
  await emulator.tasks.list({ status: 'succeded' })
  // @ts-expect-error a family that is not there
  await emulator.tasks.list({ family: 'b-video' })
  await emulator.tasks.list({ family: 'a2-image' })
  // @ts-expect-error a family whose operations make no tasks
  await emulator.tasks.list({ family: 'd-assets' })
  await emulator.tasks.list({ status: given as TaskStatus, family: given as TaskFamilyName })
  // @ts-expect-error a status that is not there
  await emulator.tasks.force('id', 'runing')
  // @ts-expect-error an error that no family has
  await emulator.tasks.fail('id', 'OutputVideoSensitive')
  await emulator.scenario.play('callback-lost')
  await emulator.scenario.play('mine.yaml')
  await emulator.scenario.play({
    name: 'mine',
    says: 'Nothing.',
    steps: [{ then: { answer: { status: 500 } } }],
  })
  // @ts-expect-error a document without a description
  await emulator.scenario.play({ name: 'mine', steps: [{ then: { answer: { status: 500 } } }] })
  await emulator.scenario.play('./mine.json')
  await emulator.scenario.play(`${given}/mine`)
  await emulator.scenario.play('C:\\scenarios\\mine.yml')
  await emulator.scenario.play(document)
  await emulator.scenario.play(constant)
  // @ts-expect-error a scenario that is not there
  await emulator.scenario.play('callback-lots')
  // @ts-expect-error any string
  await emulator.scenario.play(given)
  await emulator.scenario.play(given as ScenarioFile)
  await emulator.scenario.play('mine' as ScenarioName)
  // @ts-expect-error a scenario that is not there
  await emulator.scenario.stop('callback-lots')
  await emulator.scenario.stop('callback-lost')
  await emulator.scenario.stop('mine' as ScenarioName)
  // @ts-expect-error a scenario that is not there
  useEmulator({ scenario: 'callback-lots' })
  useEmulator({ scenario: ['callback-lost', './mine.yaml', document] })
  useEmulator({ scenario: constant })
}

const constant = {
  name: 'constant',
  description: 'Lists are readonly.',
  steps: [
    {
      when: { operation: ['b-video-task.create', 'b-video-task.read'], nth: [1, 3] },
      then: { answer: { body: {}, without: ['usage'] } },
    },
    { when: { callback: { status: ['failed'] } }, then: { callback: { never: true } } },
  ],
} as const

const document: ScenarioDocument = {
  name: 'x',
  description: 'x',
  steps: [
    { when: { operation: 'b-video-task.create' }, then: { answer: { error: 'ServerOverloaded' } } },
    // @ts-expect-error an operation that is not there
    { when: { operation: 'b-video-task.crate' }, then: { answer: { status: 500 } } },
    // @ts-expect-error an error that no family has
    { when: { operation: 'b-video-task.create' }, then: { answer: { error: 'Overloaded' } } },
  ],
}

// @ts-expect-error a setting that is not there
const setting: SettingName = 'sede'
// @ts-expect-error a rule that is not there
const rule: RuleId = 'b-video-task.no-such-rule'
// @ts-expect-error a setting that is not there
const settings: EmulatorSettings = { sede: 1 }
// @ts-expect-error a scenario that is not there
const playing: EmulatorSettings = { scenario: 'callback-lots' }

test('names are union types, and a misspelt one does not compile', () =>
  expect([
    typeof misspelt,
    document.steps.length,
    setting,
    rule,
    Object.keys(settings),
    playing.scenario,
  ]).toEqual([...['function', 3, 'sede', 'b-video-task.no-such-rule', ['sede'], 'callback-lots']]))
