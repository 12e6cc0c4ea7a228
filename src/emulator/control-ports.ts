import { lateImport, memoizeLoad } from './concurrency.js'
import type { ControlContext } from './control/action.js'
import type { BlobStore } from './media/files/blob-store.js'

type Part = Parameters<ControlContext['openApiDocument']>[0]

const modules = {
  liveEvents: lateImport(() => import('./control/live-events.js')),
  diagnostics: lateImport(() => import('./observability/diagnostics.js')),
  stateDocument: lateImport(() => import('./accounts/persistence/state-document.js')),
  openApi: lateImport(() => import('./openapi/document.js')),
  actions: lateImport(() => import('./control/actions/index.js')),
}

/**
 * The ports of control actions that lead to rarely used parts. Each loads its part at the first call: an emulator starts
 * faster without them.
 * @param emulator the context that these ports complete; it is read when a port is used
 * @param ownHost host and port of the emulator, or undefined where it does not listen yet
 */
export const createControlPorts = (
  emulator: () => ControlContext & { readonly blobs: BlobStore },
  ownHost: () => string | undefined,
) => {
  const documents = new Map<Part, () => ReturnType<typeof makeDocument>>()
  return {
    live: memoizeLoad(async () => {
      const { createLiveEvents } = await modules.liveEvents()
      return createLiveEvents(emulator())
    }),
    diagnose: async function* () {
      const { diagnose } = await modules.diagnostics()
      yield* diagnose(emulator().settings)
    },
    openApiDocument: (part: Part) => {
      // Making one takes a tenth of a second.
      const load = documents.get(part) ?? memoizeLoad(() => makeDocument(part, emulator(), ownHost()))
      documents.set(part, load)
      return load()
    },
    exportState: async (accounts) => {
      const { exportState } = await modules.stateDocument()
      const { settings, systemNow, blobs } = emulator()
      return exportState(accounts, { seed: settings.seed, systemNow: systemNow(), blobs })
    },
    importState: async (document, key) => {
      const { importState } = await modules.stateDocument()
      const { registry, settings, systemNow, blobs, replace } = emulator()
      const maxCallbacks = settings.callbackLogEntries
      return importState(
        document,
        {
          seed: settings.seed,
          systemNow: systemNow(),
          maxCallbacks,
          blobs,
          catalogue: registry.catalogue,
          checkParams: (task) => registry.paramsProblem(task),
          replace,
        },
        key,
      )
    },
  } satisfies Partial<ControlContext>
}

const makeDocument = async (
  part: Part,
  { registry, settings: { publicUrl: server } }: ControlContext,
  host: string | undefined,
) => {
  const [{ openApiDocument }, { actions }] = await Promise.all([modules.openApi(), modules.actions()])
  return openApiDocument(actions, { registry, part, server, origin: host && `http://${host}` })
}
