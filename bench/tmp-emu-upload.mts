import { settingsSchema } from '../src/core/settings.js'
import { createEmulator } from '../src/emulator.js'
import { listen } from '../src/server/listen.js'
const e = createEmulator(settingsSchema.parse({ port: 0, assetsMost: 10000, assetTotalBytes: 2 ** 40, inputBytes: 2 ** 34 }))
const l = await listen(e)
process.send!({ port: l.port })
process.on('SIGTERM', async () => { await l.close(); process.exit(0) })
