import type { QuotaSpec } from '../../src/emulator/core/quotas.js'
import { quotaSpecs } from '../../src/emulator/quotas.js'
import { settingsSchema } from '../../src/emulator/settings.js'

const [BEGIN, END] = ['<!-- bounds -->', '<!-- end of bounds -->']

const defaults = settingsSchema.parse({})

const MIB = 2 ** 20

const written = (value: unknown): string => {
  if (typeof value !== 'number') return 'one per processor, but for one'
  return value >= MIB && value % MIB === 0 ? `${value / MIB} MiB` : value.toLocaleString('en')
}

const row = ([name, { of, settings, atBound }]: [string, QuotaSpec]): string => {
  const limits = settings.map((setting) => `\`${setting}\` ${written(defaults[setting])}`).join(', ')
  return `| \`${name}\` | ${of} | ${limits} | ${atBound} |`
}

/** The page with the table made from the sources. */
export const operationsDoc = (page: string): string => {
  const rows = Object.entries<QuotaSpec>(quotaSpecs).map(row)
  const table = [
    '| Bound | Of what | Setting and default | What happens there |',
    '|---|---|---|---|',
    ...rows,
  ]
  return page.replace(new RegExp(`${BEGIN}[\\s\\S]*${END}`), () => `${BEGIN}\n${table.join('\n')}\n${END}`)
}
