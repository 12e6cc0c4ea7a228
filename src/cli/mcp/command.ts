import type { CliCommand } from '../../command/command.js'
import { settingOptions } from '../../command/settings/read.js'
import { firstSignal } from '../start.js'
import { createServer, loadSdk } from './server.js'
import { openTarget } from './target.js'

export const command: CliCommand = {
  usage: 'mcp',
  description:
    'serve the Model Context Protocol on standard input and output: control actions as tools, the documentation as resources',
  options: [
    {
      flags: '--url <url>',
      description: 'join the emulator that runs there; default: $BACKLOT_URL, or else one is started',
    },
    // Those of its output have no use: standard output belongs to the protocol.
    ...settingOptions(['--json', '--quiet']),
  ],
  examples: [
    ['backlot mcp', 'for the configuration of a coding agent; starts an emulator on a free port'],
    ['backlot mcp --url http://127.0.0.1:4650', 'with the emulator that runs there'],
  ],
  // Resolves when the client has closed standard input, or at a signal.
  run: async ({ options }) => {
    const sdk = await loadSdk()
    const target = await openTarget(options)
    try {
      const server = await createServer(sdk, target)
      const closed = new Promise<void>((resolve) => {
        server.onclose = resolve
      })
      // The transport does not notice the end of standard input.
      process.stdin.once('end', () => void server.close())
      await server.connect(new sdk.StdioServerTransport())
      await Promise.race([closed, firstSignal()])
    } finally {
      await target.stop()
    }
    return 0
  },
}
