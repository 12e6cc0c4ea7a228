import { EmulatorError } from '../core/errors.js'
import { isRecord, notJson, shown } from '../core/request.js'

/** Kind of an argument: what it may be, in words, and whether a value is that. */
interface ArgumentKind {
  readonly allowed: string
  readonly fits: (value: unknown) => boolean
}

export const text: ArgumentKind = {
  allowed: 'a string that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
}

/** API key, as a header can carry it: HTTP drops white space around a value, so that a key with some would be another one. */
export const apiKey: ArgumentKind = {
  allowed: 'a string that a header can carry, without white space around it',
  fits: (value) =>
    typeof value === 'string' && /^[\x20-\x7e\x80-\xff]+$/.test(value) && value === value.trim(),
}

export const number: ArgumentKind = { allowed: 'a number', fits: Number.isFinite }

export const object: ArgumentKind = { allowed: 'an object', fits: isRecord }

const either = (first: ArgumentKind, second: ArgumentKind): ArgumentKind => ({
  allowed: `${first.allowed}, or ${second.allowed}`,
  fits: (value) => first.fits(value) || second.fits(value),
})

export const optional = ({ allowed, fits }: ArgumentKind): ArgumentKind => ({
  allowed,
  fits: (value) => value === undefined || fits(value),
})

const isDate = (value: unknown): boolean =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value))

const time: ArgumentKind = {
  allowed: "an object such as { to: 'next' }",
  fits: (value) => isRecord(value) && (typeof value.to === 'string' || isDate(value.to)),
}

const duration: ArgumentKind = {
  allowed: 'a duration such as 10s or a number of milliseconds',
  fits: (value) => typeof value === 'string' || typeof value === 'number',
}

export const list: ArgumentKind = { allowed: 'a list', fits: Array.isArray }

// URLs resolve `.` and `..`, encoded or not.
const segment: ArgumentKind = {
  allowed: 'a string that is not empty, nor . or ..',
  fits: (value) => text.fits(value) && value !== '.' && value !== '..',
}

const status: ArgumentKind = { ...text, allowed: "a status such as 'succeeded', and options come after it" }

const snapshot: ArgumentKind = {
  allowed: 'what snapshot() has resolved with, an object with its id',
  fits: (value) => isRecord(value) && text.fits(value.id),
}

type Kinds = Readonly<Record<string, ArgumentKind>>

const optionalObject = optional(object)
const byId = { id: text }
const waiting = { filter: optionalObject, options: optionalObject }

/** Arguments of the methods of handles, in their order; a method that is not here takes none. */
const methods: Readonly<Record<string, Kinds>> = {
  'clock.advance': { how: either(duration, time) },
  'clock.change': { change: object },
  'tasks.list': { filter: optionalObject },
  'tasks.get': byId,
  'tasks.force': { ...byId, status: text, error: optional(text) },
  'tasks.fail': { ...byId, error: optional(text) },
  'tasks.waitFor': { ...byId, status: optional(status), options: optionalObject },
  'requests.list': { filter: optionalObject },
  'requests.count': { filter: optionalObject },
  'requests.get': byId,
  'requests.explain': byId,
  'requests.save': { file: text },
  'requests.waitFor': waiting,
  'callbacks.list': { filter: optionalObject },
  'callbacks.count': { filter: optionalObject },
  'callbacks.get': byId,
  'callbacks.redeliver': byId,
  'callbacks.waitFor': waiting,
  'scenario.play': { scenario: either(text, object) },
  'scenario.stop': { name: optional(text) },
  fail: {
    operation: text,
    failing: { ...object, allowed: "an object such as { error: 'ServerOverloaded' }" },
  },
  inbox: { name: segment },
  'inbox.waitFor': { options: optionalObject },
  change: { change: object },
  pause: { ms: duration },
  idle: { options: optionalObject },
  restore: { snapshot },
  account: { key: apiKey },
  finish: { options: optionalObject },
  finishAll: { key: apiKey, options: optionalObject },
}

/** Methods that answer at once rather than with a promise. */
const synchronous = ['inbox', 'account']

/**
 * Validates the arguments of a function.
 * @throws EmulatorError `bad-argument`, which names the first that is wrong, what it may be and what was found
 */
export const validateArguments = (callee: string, values: readonly unknown[], kinds: Kinds): void => {
  for (const [index, [name, { allowed, fits }]] of Object.entries(kinds).entries())
    if (!fits(values[index]))
      throw new EmulatorError(`${callee}: ${name} must be ${allowed}, found ${shown(values[index])}.`, {
        code: 'bad-argument',
      })
}

// An emulator elsewhere gets them as JSON, and one in this process sends them on as JSON.
const validateJson = (callee: string, values: readonly unknown[], names: readonly string[]): void => {
  for (const [index, name] of names.entries()) {
    const wrong = notJson(values[index], [name])
    if (wrong !== undefined) throw new EmulatorError(`${callee}: ${wrong}.`, { code: 'bad-argument' })
  }
}

/** Validates the fields of an object. @throws EmulatorError `bad-argument` */
export const validateNamed = (callee: string, object: object, kinds: Kinds): void => {
  const values = Object.keys(kinds).map((name) => Reflect.get(object, name))
  validateArguments(callee, values, kinds)
}

/**
 * Wraps handles, so that their methods validate their arguments, and the stack of an error begins at the line that called
 * one: frames of the package say nothing to users, and a framework that keeps ten lines would show only them.
 */
export const withValidation = <Handles extends object>(handles: Handles, path = ''): Handles =>
  Object.fromEntries(
    Object.entries(handles).map(([name, value]) => {
      const kinds = methods[path + name] ?? {}
      if (isRecord(value)) return [name, withValidation(value, `${path}${name}.`)]
      if (typeof value !== 'function') return [name, value]
      const validated = (...values: unknown[]) => {
        validateArguments(path + name, values, kinds)
        validateJson(path + name, values, Object.keys(kinds))
        return value(...values)
      }
      if (synchronous.includes(name)) return [name, validated]
      const method = async (...values: unknown[]) => {
        const caller = { stack: '' }
        Error.captureStackTrace(caller, method)
        try {
          return await validated(...values)
        } catch (error) {
          // That of a bug leads to where it is.
          if (error instanceof EmulatorError && error.code !== 'bug')
            error.stack = `${error.name}: ${error.message}${/\n +at .*/s.exec(caller.stack) ?? ''}`
          throw error
        }
      }
      return [name, method]
    }),
  ) as Handles
