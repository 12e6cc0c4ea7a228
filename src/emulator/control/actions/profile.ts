import { z } from 'zod'
import { fieldOf } from '../../core/request.js'
import type { LoadedProfile } from '../../profile/load.js'
import { action, itemsOf, namedObject, noInput } from '../action.js'

const profileItem = namedObject(
  'ProfileItem',
  'A value of the profile in force, and where it comes from.',
  () => ({
    key: z.string().describe('its path: `models.videoa-2-5-270101.seconds`'),
    value: z.unknown().describe('a secret is shown as `(set)`'),
    source: z.string().describe('the file, or `profile` for a document that was given in code'),
    line: z.number().nullable().describe('null: the source has no lines'),
    column: z.number().nullable(),
  }),
)

export const profileActions = {
  'profile.read': action({
    route: { method: 'GET', path: '/profile' },
    summary:
      'What the profile changes of the service: each value with the line that it comes from; nothing where there is no profile',
    input: noInput,
    output: () => itemsOf(profileItem()).extend({ sources: z.array(z.string()) }),
    run: ({ profile }) =>
      profile === undefined ? { sources: [], items: [] } : profileRecordOf(profile.loaded),
  }),
}

const profileRecordOf = ({ merged }: LoadedProfile) => ({
  sources: [...new Set(merged.sources.map(({ name }) => name))],
  items: merged.leaves.map(({ at, path, source, value }) => {
    const { line, column } = source.placeOf?.(path, true) ?? { line: null, column: null }
    const shown = at.at(-1) === 'secret' ? '(set)' : value
    return { key: fieldOf(at), value: shown ?? null, source: source.name, line, column }
  }),
})
