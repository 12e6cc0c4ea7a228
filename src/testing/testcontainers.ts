import { randomUUID } from 'node:crypto'
import { connectEmulator, type EmulatorHandles } from '../emulator/surface/client.js'
import { EmulatorError } from '../emulator/surface/records.js'
import { readSettings } from '../emulator/surface/starting.js'
import type { EmulatorSettings } from '../generated/emulator-settings.js'

export type * from '../emulator/surface/handle-types.js'

/** The part of a container of the package `testcontainers` that is used; a `GenericContainer` has it. */
export interface StartableContainer<Started extends StartedContainer> {
  withExposedPorts(...ports: number[]): this
  withEnvironment(environment: Record<string, string>): this
  start(): Promise<Started>
}

/** The part of a started container that is used. */
export interface StartedContainer {
  getHost(): string
  getMappedPort(port: number): number
  stop(): Promise<unknown>
}

/** Settings of an emulator in a container; its address is the container's own. */
export interface ContainerSettings extends Omit<EmulatorSettings, 'host' | 'port'> {
  /** The account of the emulator's own handles; default: `default`. */
  readonly key?: string | undefined
}

/** Handles of an emulator in a container. */
export interface ContainerEmulator<Started extends StartedContainer> extends EmulatorHandles {
  readonly container: Started
  /** The token of its control API; a random one unless the settings name one. */
  readonly controlToken: string
  /** Stops the container. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const PORT = 4650

/**
 * Starts an emulator in a container of the package `testcontainers`, on an on-poll clock unless the settings say otherwise:
 * `startContainer(new GenericContainer('backlot'))`. Settings are checked here and passed as variables of the environment.
 * @throws EmulatorError `bad-setting`, before a container is started; `container-not-started`
 */
export const startContainer = async <Started extends StartedContainer>(
  image: StartableContainer<Started>,
  { key, clock = 'on-poll', scenario, ...settings }: ContainerSettings = {},
): Promise<ContainerEmulator<Started>> => {
  const controlToken = settings.controlToken ?? randomUUID()
  // One scenario is a list of one.
  const scenarios = scenario === undefined ? undefined : [scenario].flat()
  const complete = { ...settings, clock, controlToken, scenario: scenarios }
  const given = Object.entries(complete).filter(([, value]) => value !== undefined)
  readSettings(Object.fromEntries(given))
  const environment = given.map(([name, value]) => [variableOf(name), textOf(value)])
  const container = await image
    .withExposedPorts(PORT)
    .withEnvironment(Object.fromEntries(environment))
    .start()
    .catch((cause) => {
      throw new EmulatorError(
        `The container did not start: ${cause instanceof Error ? cause.message : String(cause)}`,
        {
          code: 'container-not-started',
          hint: 'What the emulator printed is shown with .withLogConsumer((log) => log.pipe(process.stderr)) on the container.',
          cause,
        },
      )
    })
  const url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`
  const stop = async () => void (await container.stop())
  try {
    const handles = connectEmulator(url, { key, token: controlToken })
    return { ...handles, container, controlToken, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const variableOf = (name: string): string => `BACKLOT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`

// Lists and objects are JSON.
const textOf = (setting: unknown): string => (typeof setting === 'string' ? setting : JSON.stringify(setting))
