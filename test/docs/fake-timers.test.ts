import { blockWith, run } from './run.js'

// The recipe registers its own test, which is run with the client of the README as it stands there.
const recipe = blockWith('docs/recipes.md', 'waits five seconds between two looks')
const beginning = blockWith('docs/recipes.md', "import 'backlot/matchers/vitest'")
await run({
  'block.ts': `${beginning.code}\nimport { makeVideo } from './video.js'\n${recipe.code}`,
  'video.js': blockWith('README.md', 'export const makeVideo').code,
})
