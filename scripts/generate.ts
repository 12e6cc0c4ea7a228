/**
 * Writes every generated file: `npm run generate`. With `--check` it writes nothing and fails if a file is stale.
 * docs/scenario-library.md holds the result of a run of each scenario, which takes half a minute: `--all` writes it too.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { EmulatorError } from '../src/emulator/core/errors.js'
import { apiDoc } from './generate/api-doc.js'
import {
  actionTypes,
  controlApiDoc,
  controlApiTypes,
  goRoutes,
  pythonRoutes,
  routesText,
} from './generate/control-api.js'
import { errorsDoc } from './generate/errors-doc.js'
import { gapsDoc } from './generate/gaps-doc.js'
import { llmsText } from './generate/llms-text.js'
import { namesText } from './generate/names.js'
import { operationsDoc } from './generate/operations-doc.js'
import { profileSchemaText, profileType } from './generate/profile-docs.js'
import {
  coverageReportSchema,
  sweepAcceptedSchema,
  sweepReportSchema,
  verifiedSchema,
} from './generate/report-schemas.js'
import { scenarioLibraryDoc, scenarioSchemaText } from './generate/scenario-docs.js'
import { scenarioType } from './generate/scenario-type.js'
import { settingsDoc } from './generate/settings-doc.js'
import { resolvedSettingsType, settingsType } from './generate/settings-type.js'
import { toolsDoc } from './generate/tools-doc.js'
import { wireTypes } from './generate/wire-types.js'

type Text = string | Promise<string>

/** How each generated file is made; from its present text, where a part of it is written by hand. */
export const generated: Readonly<Record<string, (present: string) => Text>> = {
  'src/generated/names.ts': namesText,
  'src/generated/control-api.ts': controlApiTypes,
  'src/generated/action-types.ts': actionTypes,
  'src/generated/routes.ts': routesText,
  'src/generated/settings.ts': resolvedSettingsType,
  'src/generated/emulator-settings.ts': settingsType,
  'src/generated/scenario-document.ts': scenarioType,
  'src/generated/profile-document.ts': profileType,
  ...Object.fromEntries(
    Object.entries(wireTypes()).map(([family, text]) => [`src/generated/wire/${family}.ts`, () => text]),
  ),
  'scenarios/scenario.schema.json': scenarioSchemaText,
  'clients/go/backlottest.go': goRoutes,
  'clients/python/pytest_backlot/__init__.py': pythonRoutes,
  'docs/control-api.md': controlApiDoc,
  'docs/agents.md': toolsDoc,
  'docs/api.md': apiDoc,
  'docs/errors.md': errorsDoc,
  'llms.txt': llmsText,
  'docs/gaps.md': gapsDoc,
  'docs/operations.md': operationsDoc,
  'docs/settings.md': settingsDoc,
  'schemas/profile.schema.json': profileSchemaText,
  'schemas/sweep-report.schema.json': sweepReportSchema,
  'schemas/sweep-accepted.schema.json': sweepAcceptedSchema,
  'schemas/coverage-report.schema.json': coverageReportSchema,
  'schemas/verified.schema.json': verifiedSchema,
}

const SLOW: typeof generated = { 'docs/scenario-library.md': () => scenarioLibraryDoc() }

/** The text that a generated file should have. */
export const generatedText = async (path: string): Promise<string> => {
  const text = await (generated[path] ?? SLOW[path])?.(readIfThere(path))
  if (text === undefined) throw new Error(`${path} is not generated`)
  return path.endsWith('.ts') ? formatted(path, text) : text
}

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

// Its script, since Windows runs what stands in `.bin` through a shell only.
const BIOME = 'node_modules/@biomejs/biome/bin/biome'

const formatted = (path: string, text: string): string =>
  execFileSync(process.execPath, [BIOME, 'check', '--write', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
  })

const generate = async (isCheck: boolean, isAll: boolean): Promise<void> => {
  for (const path of Object.keys({ ...generated, ...(isAll ? SLOW : {}) })) {
    const text = await generatedText(path)
    if (text === readIfThere(path)) continue
    console.log(`${path} ${isCheck ? 'is stale' : 'written'}`)
    if (isCheck) process.exitCode = 1
    else writeFileSync(path, text)
  }
  if (process.exitCode === 1) console.error('Run `npm run generate`.')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await generate(process.argv.includes('--check'), process.argv.includes('--all')).catch((error: unknown) => {
    // What is wrong in the files that are read needs no stack.
    if (!(error instanceof EmulatorError)) throw error
    console.error(error.message)
    process.exitCode = 1
  })
