import { assetLibrary } from '../../../families/d-assets/index.js'
import { operations } from '../../../families/index.js'
import { version } from '../../../server/version.js'
import type { Started } from '../reporter.js'
import { type BaseUrl, baseUrlsOf } from './base-urls.js'
import type { Paint } from './paint.js'

/** What people see when the emulator listens: where, what lives there, how time runs, and a call to paste. */
export const startScreen = (started: Started, paint: Paint): string =>
  [
    `${paint('bold', 'Backlot')} ${version} is ready at ${paint(['bold', 'cyan'], started.url)}`,
    ...facts(started),
    '',
    ...baseUrlLines(started, paint),
    '',
    'A picture to begin with:',
    '',
    curl(started),
    '',
    'Its answer holds a URL beside "image". Open it in a browser, or save the picture: curl -o picture.png \'URL\'',
    paint(
      'dim',
      `The control API is at ${started.url}/_backlot. What happens is listed below; Ctrl-C stops.`,
    ),
    '',
  ].join('\n')

const facts = ({ emulator }: Started): string[] => {
  const { clock, speed, timing, seed, publicUrl, account } = emulator.settings
  const pace = clock === 'live' && speed !== 1 ? ` at ${speed} times the speed` : ''
  return [
    `Clock ${clock}${pace}, timing ${timing}, seed ${seed}; ${account.length === 0 ? 'every API key is an account' : `${account.length} accounts`}.`,
    ...(publicUrl === undefined ? [] : [`Result URLs begin with ${publicUrl}`]),
    ...tokenLines(emulator),
  ]
}

/** Says the token that was made, which nobody could know otherwise; nothing where none was. */
export const tokenLines = ({ settings, madeToken }: Started['emulator']): string[] =>
  madeToken === undefined
    ? []
    : [
        `Listening beyond this machine (${settings.host}), so the control API asks for X-Backlot-Token: ${madeToken}`,
      ]

const baseUrlLines = ({ emulator, url }: Started, paint: Paint): string[] => {
  const bases = baseUrlsOf(operations, [...emulator.families, assetLibrary])
  const width = Math.max(...bases.map(({ path }) => path.length))
  return bases.map((base) => `  ${url}${base.path.padEnd(width)}  ${paint('dim', chapterText(base))}`)
}

const chapterText = ({ chapters }: BaseUrl): string =>
  chapters.map(({ section, title }) => `${section} ${title}`).join('; ')

const IMAGES = '/provA/api/v1/services/aigc/multimodal-generation/generation'
const ORDER = {
  model: 'alpha-image-3.0-pro',
  input: { messages: [{ role: 'user', content: [{ text: 'A lighthouse in the fog' }] }] },
}

// Where only some keys are accounts, theirs are not printed.
const curl = ({ url, emulator }: Started): string => {
  const key = emulator.settings.account.length === 0 ? 'any-key' : 'YOUR-KEY'
  return [
    `curl -s ${url}${IMAGES} \\`,
    `  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(ORDER)}'`,
  ].join('\n')
}
