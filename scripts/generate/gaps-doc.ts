import type { Gap } from '../../src/emulator/core/contract.js'
import { builtIn, families } from '../../src/emulator/families/index.js'
import { changeOfGap } from '../../src/emulator/profile/gaps.js'

const { gaps } = builtIn

type Grade = Gap['grade']

/** By the letter that the ids of a part begin with. Default: the titles of the chapters with this letter. */
const headings: Readonly<Record<string, string>> = {
  X: 'Everywhere',
  A: 'A and A2. Images',
  C: 'C. Unified video, and E on the same path',
  Z: 'Further points',
  N: 'Found while building',
}

const headingOf = (letter: string): string =>
  headings[letter] ??
  families
    .filter(({ section }) => section.startsWith(letter))
    .map(({ section, title }) => `${section}. ${title}`)
    .join('; ')

const meanings: Readonly<Record<Grade, string>> = {
  spec: 'the text of the specification leads to it',
  seen: 'public services like this one answer so, or their client libraries expect it',
  assumed: 'no public source says; chosen after a similar answer that is known',
}

const INTRODUCTION = `# Gaps: what the specification leaves open

<!-- Written by npm run generate from the gaps of src/emulator/families. Change them there. -->

This page lists each point that the specification does not show, or on which two of its passages disagree, with the
emulator's answer and a grade of how sure it is. Where your tests depend on a row that is \`assumed\`, they test an
assumption. With an API key of the service, [\`backlot verify\`](command-line.md#backlot-verify) tests many of them,
and the emulator then says of these when the service was seen to answer so ([verify.md](verify.md#what-was-seen)).

Each row names the settings and the keys of a [profile](profiles.md) that change it, or says why it is fixed. A running emulator
shows the same table, with its settings as they stand, under \`GET /_backlot/gaps\`.
[settings.md](settings.md) says how a setting is given.

What no row can say: pictures and videos are drawn title cards and not what a model would make of the prompt; nothing is
moderated but for the configured words; prices and the lengths of tasks are assumed.
`

const letters = [...new Set(gaps.map(({ id }) => id.charAt(0)))]

/** The text of docs/gaps.md. */
export const gapsDoc = (): string => [INTRODUCTION, grades(), ...letters.map(part)].join('\n')

const grades = (): string => {
  const rows = Object.entries(meanings).map(([grade, meaning]) => {
    const count = gaps.filter((gap) => gap.grade === grade).length
    return `| \`${grade}\` | ${meaning} | ${count} |\n`
  })
  return `| Grade | Means | Rows |\n|---|---|---|\n${rows.join('')}`
}

const part = (letter: string): string => {
  const rows = gaps.filter(({ id }) => id.startsWith(letter)).map(row)
  return `## ${headingOf(letter)}\n\n${rows.join('\n')}`
}

const named = (kind: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `; ${kind} ${names.map((name) => `\`${name}\``).join(', ')}`

/** Why neither a setting nor a profile changes a row. */
const unchangeable = ({ id, settings = [] }: Pick<Gap, 'id' | 'settings'>): string => {
  const change = changeOfGap({ id })
  return typeof change === 'string' && settings.length === 0 ? ` *Fixed:* ${change}` : ''
}

const row = ({ id, place, answer, grade, settings = [] }: Gap): string => {
  const change = changeOfGap({ id })
  const names = [
    named('settings', settings),
    typeof change === 'string' ? '' : named('[profile](profiles.md)', change),
  ].join('')
  const known = `\`${grade}\`${names}`
  return `### ${id}\n\n**${place}** (${known}). ${/[.!?]$/.test(answer) ? answer : `${answer}.`}${unchangeable({ id, settings })}\n`
}
