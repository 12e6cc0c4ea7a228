import { describe, expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { type JsonSchema, toJsonSchema } from '../../src/emulator/core/json-schema.js'
import { fieldOf, isRecord } from '../../src/emulator/core/request.js'
import { contextWith, create, taskOf } from '../emulator/families/context.js'
import { type Sample, samplesOf } from './samples.js'

/** Null for an optional field counts as not sent, and for anything else is refused (gap X13), wherever the schema has a field. */
export const nullsCountAsNotSent = (family: AnyTaskFamily): void => {
  const schema = toJsonSchema(family.schema, 'input')
  const places = samplesOf(family).flatMap((sample) =>
    placesIn(schema, sample.body, []).map((place) => ({ sample, ...place })),
  )
  const of = (kind: Place['kind']) =>
    places
      .filter((place) => place.kind === kind)
      .map((place) => [place.sample.name, fieldOf(place.path), place] as const)
  const decided = ({ found }: Sample, body: unknown, settings: { strict?: boolean } = {}) => {
    const context = contextWith({ resolvedMedia: found, settings })
    const { reply, meta } = create(family, body, context)
    return {
      reply,
      meta,
      task: reply.status === 200 ? taskOf({ reply, meta, changes: [] }, context) : undefined,
    }
  }

  test('the samples have places of every kind', () =>
    expect(new Set(places.map(({ kind }) => kind))).toEqual(new Set(['optional', 'required', 'item'])))

  describe('an optional field that is null', () => {
    test.each(of('optional'))('%s: %s', (_, field, { sample, path }) => {
      const withNull = decided(sample, changedAt(sample.body, path, null))
      const without = decided(sample, changedAt(sample.body, path, undefined))
      expect(withNull.reply.status).toBe(without.reply.status)
      if (without.task === undefined) return
      expect([withNull.reply, withNull.task]).toEqual([without.reply, without.task])
      expect(withNull.meta.warnings).toContain(`null counts as not sent (gap X13): ${field}`)
      expect(withNull.meta.ignored).toEqual(without.meta.ignored)
      const strictly = decided(sample, changedAt(sample.body, path, null), { strict: true })
      expect(strictly.reply.status).toBe(400)
      expect(strictly.meta.refusedBy[0]).toMatchObject({ field, message: expect.stringContaining('is null') })
    })
  })

  test.each([...of('required'), ...of('item')])('%s: %s may not be null', (_, field, { sample, path }) => {
    const { reply, meta } = decided(sample, changedAt(sample.body, path, null))
    expect([400, 404]).toContain(reply.status)
    expect(meta.refusedBy[0]?.field ?? '').toContain(field.replace(/\.type$/, ''))
  })

  test('all optional fields at once may be null', () => {
    const [first] = samplesOf(family)
    if (first === undefined) throw new Error('there are no samples')
    const fields = of('optional').filter(([name]) => name === first.name)
    const innermost = fields.filter(([, field]) =>
      fields.every(([, other]) => !other.startsWith(`${field}.`)),
    )
    const body = innermost
      // Of an item of a list, one of several fields has to be there.
      .filter(([, field]) => !field.includes('['))
      .reduce((before, [, , { path }]) => changedAt(before, path, null), first.body)
    expect(decided(first, body).reply.status).toBe(200)
  })
}

interface Place {
  readonly kind: 'optional' | 'required' | 'item'
  readonly path: readonly PropertyKey[]
}

/** Every field that the schema knows of a body, sent or not, and every item of its lists. */
const placesIn = (schema: JsonSchema, body: unknown, path: readonly PropertyKey[]): Place[] => {
  const variants = schema.anyOf ?? schema.oneOf ?? [schema]
  const variant = variants.find((one) => fits(one, body))
  if (variant !== undefined && variant !== schema) return placesIn(variant, body, path)
  if (Array.isArray(body) && schema.items !== undefined) {
    const { items } = schema
    return body.flatMap((item, index) => [
      { kind: 'item' as const, path: [...path, index] },
      ...placesIn(items, item, [...path, index]),
    ])
  }
  if (!isRecord(body)) return []
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const kind = schema.required?.includes(name) ? ('required' as const) : ('optional' as const)
    return [{ kind, path: [...path, name] }, ...placesIn(inner, body[name], [...path, name])]
  })
}

// Variants of an object are told by their `type`; others by whether they are a list.
const fits = ({ type, properties }: JsonSchema, body: unknown): boolean => {
  const named = properties?.type
  if (isRecord(body) && named !== undefined)
    return named.const === body.type || named.enum?.includes(body.type) === true
  return Array.isArray(body) ? type === 'array' : type === undefined || type === typeof body
}

/** A copy of a body with another value at a path; undefined leaves the field out. */
const changedAt = (body: unknown, [step, ...rest]: readonly PropertyKey[], value: unknown): unknown => {
  if (step === undefined) return value
  if (Array.isArray(body))
    return body.map((item, index) => (index === step ? changedAt(item, rest, value) : item))
  const record = body as Record<PropertyKey, unknown>
  const { [step]: inner, ...others } = record
  const changed = changedAt(inner, rest, value)
  return changed === undefined ? others : { ...record, [step]: changed }
}
