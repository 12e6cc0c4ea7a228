// Bundles src into dist, as tsdown.config.ts says; `--quiet` prints errors alone. The command `tsdown` does the same, but warns
// on Node 20 that its next release will not support it, which readers take for a warning about this package.
import { build } from 'tsdown'

await build({ logLevel: process.argv.includes('--quiet') ? 'error' : 'info' })
