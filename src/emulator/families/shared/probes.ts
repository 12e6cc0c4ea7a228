import type { Probe } from '../../core/contract.js'

/** Address of a picture that is not there, so that a service that takes a call all the same makes nothing of it. */
export const NO_PICTURE = 'https://example.com/no-picture.png'

/** Content of the least request for a video. */
export const someText = [{ type: 'text', text: 'a cat' }]

/** Probe that posts JSON. */
export const posted = (path: string, says: string, json: unknown, key?: Probe['key']): Probe => ({
  ...{ says, method: 'POST', path, json },
  ...(key === undefined ? {} : { key }),
})

/** Probes without a key and with a wrong one: of a body that a service which does not look at keys first makes nothing of. */
export const withWrongKeys = (what: string, path: string, json: unknown = {}): readonly Probe[] => [
  posted(path, `${what} without a key`, json, 'none'),
  posted(path, `${what} with a key that there is not`, json, 'unknown'),
]

/** Probes of a create: its key, its model and its JSON. */
export const createProbes = (
  what: string,
  path: string,
  { model: _, ...rest }: Readonly<Record<string, unknown>>,
): readonly Probe[] => [
  ...withWrongKeys(what, path),
  posted(path, `${what} without a model`, rest),
  posted(path, `${what} of a model that there is not`, { ...rest, model: 'no-such-model' }),
  { says: `${what} from broken JSON`, method: 'POST', path, body: ['application/json', '{'] },
]
