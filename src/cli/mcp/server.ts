import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { EmulatorError, nearest, version } from '../../emulator/surface/records.js'
import { listResources, readResource } from './resources.js'
import type { Target } from './target.js'
import { type RunnableTool, toolsOf } from './tools.js'

/** The parts of the SDK that are used, loaded when they are needed. */
type Sdk = Awaited<ReturnType<typeof importSdk>>

const importSdk = async () => {
  const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { Server, StdioServerTransport, types }
}

/** Loads the SDK, an optional peer dependency. @throws EmulatorError `mcp-sdk-missing` */
export const loadSdk = async (load: () => Promise<Sdk> = importSdk): Promise<Sdk> => {
  try {
    return await load()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new EmulatorError(
      '`backlot mcp` needs the package @modelcontextprotocol/sdk, which is not installed.',
      {
        code: 'mcp-sdk-missing',
        hint: 'Install it beside Backlot: npm install --save-dev @modelcontextprotocol/sdk',
        cause,
      },
    )
  }
}

/** Server of the Model Context Protocol: control actions as tools, pages of the documentation as resources. */
export const createServer = async ({ Server, types }: Sdk, target: Target): Promise<Server> => {
  const tools = await toolsOf(target)
  const server = new Server(
    { name: 'backlot', title: 'Backlot', version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsOf(target) },
  )
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: tools.map(({ run: _, ...tool }) => tool),
  }))
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) =>
    callTool(tools, params.name, params.arguments ?? {}),
  )
  server.setRequestHandler(types.ListResourcesRequestSchema, async () => ({
    resources: [...(await listResources())],
  }))
  server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      return { contents: [{ uri, ...(await readResource(uri)) }] }
    } catch (error) {
      if (!(error instanceof EmulatorError)) throw error
      throw new types.McpError(types.ErrorCode.InvalidParams, error.message)
    }
  })
  return server
}

const instructionsOf = ({ place: { url, isOwn } }: Target): string =>
  [
    `Backlot emulates an image and video generation service at ${url}: no API key, no cost. It ${isOwn ? 'was started for this session' : 'runs elsewhere and was joined'}.`,
    'The tool connection has the base URL of each family for the client under test. Every API key is an account of its own; tools act on that of their input account.',
    'To write a client: operations_list (with search), then dry_run of a request. To find out why a call failed: requests_list, then requests_read with its id.',
    'To move on: clock_advance. To make something go wrong: scenarios_list, scenario_play; a file of your own is checked with scenarios_check. At the end: verdict_read and coverage_gaps.',
  ].join('\n')

/** Runs a tool. What is wrong with a call is an answer that the model can read, not an error of the protocol. */
const callTool = async (
  tools: readonly RunnableTool[],
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> => {
  const tool = tools.find((one) => one.name === name)
  try {
    if (tool === undefined) throw unknownTool(name, tools)
    return { content: [{ type: 'text', text: JSON.stringify(await tool.run(input)) }] }
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

const unknownTool = (name: string, tools: readonly RunnableTool[]): EmulatorError => {
  const meant = nearest(
    name,
    tools.map((tool) => tool.name),
  )
  const sentence = `There is no tool ${JSON.stringify(name)}`
  return new EmulatorError(meant === undefined ? `${sentence}.` : `${sentence}: did you mean ${meant}?`, {
    code: 'unknown-tool',
  })
}
