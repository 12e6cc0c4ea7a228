import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes THIRD-PARTY.md: what is bundled into `dist`, read off the build itself, with everybody's licence. Run it after
 * `npm run build`; with `--check` it writes nothing and fails where the file says something else.
 */

const FILE = 'THIRD-PARTY.md'

/** The build marks where each module begins, with its path. */
const bundledPackages = (): string[] => {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(c?js|mjs)$/.test(name),
  )
  const marks = files.flatMap((name) => [
    ...readFileSync(`dist/${name}`, 'utf8').matchAll(/#region .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//g),
  ])
  return [...new Set(marks.map(([, name]) => name as string))].sort()
}

interface Licensed {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Without the headline and the copyright, so that those who use the same words share them. */
  readonly terms: string
  readonly copyright: string
}

const licensed = (name: string): Licensed => {
  const folder = `node_modules/${name}`
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const text = licenceText(folder) ?? ''
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const isCopyright = (line: string) =>
    /^(copyright|\(c\))\b.*\d{4}/i.test(line) || /^Copyright \(c\)/.test(line)
  return {
    name,
    version,
    licence: license,
    copyright: lines.filter(isCopyright).join('; ') || `the authors of ${name}`,
    terms: paragraphs(lines.filter((line) => !isCopyright(line) && !isHeadline(line))),
  }
}

const licenceText = (folder: string): string | undefined => {
  const file = readdirSync(folder).find((one) => /^(licen[sc]e|copying)/i.test(one))
  return file === undefined ? undefined : readFileSync(`${folder}/${file}`, 'utf8')
}

const isHeadline = (line: string): boolean =>
  /^\(?(the )?(mit|isc|bsd[ \w-]*) licen[sc]e( \(mit\))?\)?$/i.test(line) ||
  /^all rights reserved\.?$/i.test(line)

// Filled anew, since the same words are broken into lines in a dozen ways.
const paragraphs = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.split('\n').join(' ').replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')

const pageOf = (packages: readonly Licensed[]): string => {
  const texts = [...new Set(packages.map(({ terms }) => terms).filter((terms) => terms !== ''))]
  const row = ({ name, version, licence, copyright, terms }: Licensed) =>
    `| ${name} ${version} | in \`dist\` | ${licence}, ${copyright.replaceAll('|', '\\|')}${terms === '' ? '' : `; text ${texts.indexOf(terms) + 1}`} |`
  return [
    '# What is bundled or shipped with Backlot',
    'Written by `scripts/make-third-party.ts` from the build.',
    [
      '| What | Where | Licence |',
      '|---|---|---|',
      ...packages.map(row),
      '| letters of Noto Sans SC, emoji of Noto Emoji | `assets/fonts` | their outlines, which stand under their licence: SIL Open Font License 1.1, `assets/fonts/OFL.txt` and `assets/fonts/OFL-NotoEmoji.txt` |',
    ].join('\n'),
    'npm installs the other dependencies beside it, each with its own licence. The builds of ffmpeg (`@ffmpeg-installer/ffmpeg`, optional) are under the GPL: [docs/platforms.md](docs/platforms.md).',
    ...texts.flatMap((text, index) => [`## Text ${index + 1}`, text]),
  ].join('\n\n')
}

const page = `${pageOf(bundledPackages().map(licensed))}\n`
if (!process.argv.includes('--check')) writeFileSync(FILE, page)
else if (readFileSync(FILE, 'utf8') !== page) {
  console.error(`${FILE} is not what the build holds: npx tsx scripts/make-third-party.ts`)
  process.exit(1)
}
