import { z } from 'zod'
import { ControlError } from '../../core/control-error.js'
import { EmulatorError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import { beginRun } from '../../core/model/scenario-run.js'
import { stepStatusesOf } from '../../core/scenario/explain.js'
import { descriptionOf } from '../../core/scenario/schema.js'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/iso.js'
import { action, type ControlContext } from '../action.js'

/** What plays for an account, the first to be asked first, each with how its steps stand. */
const shownPlaying = ({ playing }: Account) => ({
  items: playing.map((play) => ({
    name: play.scenario.name,
    says: descriptionOf(play.scenario) ?? '',
    since: isoOf(play.since),
    steps: stepStatusesOf([play]).map(({ scenario: _, ...step }) => step),
  })),
})

export const readScenario = action({
  route: { method: 'GET', path: '/scenario' },
  input: z.strictObject({}),
  run: async ({ store }, key) => store.run(key, shownPlaying),
})

/**
 * Plays a scenario for this account: a document, or a name (of a ready-made one, or of one given at the start). It is
 * asked before those that play already; one of the same name begins anew.
 */
export const playScenario = action({
  route: { method: 'PUT', path: '/scenario' },
  input: z.looseObject({ name: z.string({ error: 'the name of a scenario, or a whole document' }) }),
  run: async (emulator, key, input) => {
    const scenario = await scenarioOf(emulator, input)
    return emulator.store.run(key, (account) => {
      const now = readClock(account.clock, emulator.wall())
      const others = account.playing.filter((play) => play.scenario.name !== scenario.name)
      if (others.length >= emulator.settings.scenariosMost) throw tooManyPlay(emulator)
      account.playing = [beginRun(scenario, emulator.settings.seed, now), ...others]
      return shownPlaying(account)
    })
  },
})

const tooManyPlay = ({ bounds, settings: { scenariosMost } }: ControlContext): ControlError => {
  bounds.refuse('scenarios')
  return new ControlError(
    429,
    'too-many-scenarios',
    `${scenariosMost} scenarios play for this account, and the setting scenariosMost is ${scenariosMost}.`,
    'Stop some of them (DELETE /_backlot/scenario), or raise the setting.',
  )
}

const scenarioOf = async ({ scenarios }: ControlContext, input: { readonly name: string }) => {
  try {
    const isName = Object.keys(input).length === 1
    return await (isName ? scenarios.named(input.name) : scenarios.fromDocument(input))
  } catch (error) {
    throw error instanceof EmulatorError ? asControlError(error) : error
  }
}

const asControlError = ({ code, message, hint }: EmulatorError): ControlError =>
  new ControlError(code === 'unknown-scenario' ? 404 : 400, code, message, hint)

/** Stops what plays for this account: one scenario by its name, or all of them. Those given at the start come back with a reset. */
export const stopScenario = action({
  route: { method: 'DELETE', path: '/scenario' },
  input: z.strictObject({ name: z.string().optional() }),
  run: async ({ store }, key, { name }) =>
    store.run(key, (account) => {
      if (name !== undefined && !account.playing.some(({ scenario }) => scenario.name === name))
        throw notPlaying(name, account)
      account.playing =
        name === undefined ? [] : account.playing.filter(({ scenario }) => scenario.name !== name)
      return shownPlaying(account)
    }),
})

const notPlaying = (name: string, { playing }: Account): ControlError =>
  new ControlError(
    404,
    'not-playing',
    `No scenario ${JSON.stringify(name)} plays for this account.`,
    playing.length === 0
      ? 'None plays.'
      : `There are: ${playing.map(({ scenario }) => scenario.name).join(', ')}.`,
  )
