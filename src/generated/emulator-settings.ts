import type { AccountLimits } from './control-api.js'
import type { ScenarioDocument } from './scenario-document.js'

/** The name of a ready-made scenario, a file, or a document. */
export type GivenScenario = string | ScenarioDocument

/** What an account of the settings opens with; what is left out is as for every other account. */
export interface OpeningAccount {
  readonly key: string
  readonly balance?: number | undefined
  /** Of the user agreement of the asset library; true when left out. */
  readonly agreementAccepted?: boolean | undefined
  readonly limits?: { readonly [Name in keyof AccountLimits]?: AccountLimits[Name] | undefined } | undefined
}

/**
 * Every setting of an emulator; what is left out has its default. docs/settings.md says more. Written by hand, so that
 * the published types need no other package, and held against the schema in published.ts.
 */
export interface EmulatorSettings {
  /** 0 picks a free one, as `startEmulator` does. */
  readonly port?: number | undefined
  /** Address to listen on; 127.0.0.1. */
  readonly host?: string | undefined
  /** What result URLs begin with; left out, the request's Host. */
  readonly publicUrl?: string | undefined
  /** Names besides local ones that requests may have in their Host header: names, `*.name` or `*`. */
  readonly allowedHosts?: readonly string[] | undefined
  /** What the control API asks for as `X-Backlot-Token`; left out, nothing on loopback, and one that is made elsewhere. */
  readonly controlToken?: string | undefined
  /** What signs result URLs, 16 characters at least; left out, what follows from the seed on loopback, and a random one elsewhere. */
  readonly signingSecret?: string | undefined

  /** How long the headers of a request, and a whole request, may take to come; 20,000 and 120,000. */
  readonly headersTimeoutMs?: number | undefined
  readonly requestTimeoutMs?: number | undefined
  /** How long a connection stays open after an answer; 5,000. */
  readonly keepAliveTimeoutMs?: number | undefined
  /** How long an answer may wait for a client that does not read it; 60,000. */
  readonly unreadTimeoutMs?: number | undefined
  /** The request line and headers of a request; 16,384. */
  readonly headerBytes?: number | undefined
  /** Requests after which a connection is closed; 0, never. */
  readonly requestsPerConnection?: number | undefined
  /** Requests of one connection that have no answer yet; 1,000. */
  readonly requestsAtOncePerConnection?: number | undefined
  /** Bodies that are read at the same time, of all connections. */
  readonly bodyBytesAtOnce?: number | undefined

  /** `live` follows the wall, `paused` is moved by hand, `on-poll` moves when a task is asked about. */
  readonly clock?: 'live' | 'paused' | 'on-poll' | undefined
  /** How many times faster than the wall a live clock runs; 1. */
  readonly speed?: number | undefined
  /** Where clocks begin, in ISO form; left out, now for live ones and 2026-01-01T00:00:00Z for the others. */
  readonly startAt?: string | undefined
  /** How long tasks take: as on the service, a few seconds (`fast`, the default), or done on the first look. */
  readonly timing?: 'realistic' | 'fast' | 'instant' | undefined
  /** What everything drawn depends on; 1. */
  readonly seed?: number | undefined
  /** What goes wrong for every account: names of ready-made scenarios, files, or documents; one or several. */
  readonly scenario?: GivenScenario | readonly GivenScenario[] | undefined

  /** The keys that are accounts; empty, every key is one. */
  readonly account?: readonly (string | OpeningAccount)[] | undefined
  /** What an account opens with; 1,000,000. */
  readonly balance?: number | undefined
  /** Limits of every account; null, as by default, is no limit. */
  readonly requestsPerMinute?: number | null | undefined
  readonly tasksInFlight?: number | null | undefined
  readonly imageQuota?: number | null | undefined
  /** Per second of video, by "model resolution" or "model". */
  readonly prices?: Readonly<Record<string, number>> | undefined

  /** Refuse unknown fields, and a missing duration in F. */
  readonly strict?: boolean | undefined
  /** `width*height` of text-to-image when none is sent, within the bounds of `size`. */
  readonly defaultImageSize?: string | undefined
  /** Let alpha-image-2.0-pro take image items. */
  readonly a2Editing?: boolean | undefined
  /** Body limit of family A. */
  readonly imageBodyBytes?: number | undefined
  /** Body limit of the other families. */
  readonly videoBodyBytes?: number | undefined
  /** Words that make a prompt refused; `[[moderation]]`. */
  readonly moderationWords?: readonly string[] | undefined
  /** B and C take `asset://` only. */
  readonly requireAssets?: boolean | undefined
  /** Status words of C and E. */
  readonly videoStatusWords?: 'specification' | 'openai-style' | undefined
  /** Take audio references without a visual one. */
  readonly allowAudioOnly?: boolean | undefined
  /** Which media URLs are read; `local`. */
  readonly fetchMedia?: 'none' | 'local' | 'all' | undefined
  /** Values of `group_id` that uploads may name; empty, any. */
  readonly groups?: readonly string[] | undefined
  /** Where callbacks may go besides loopback and private addresses: names, `*.name` or `*`. */
  readonly callbackHosts?: readonly string[] | undefined
  /** Times the 3 s and 5 s that a receiver has to answer. */
  readonly callbackTimeoutScale?: number | undefined

  /** Connections at a time; 10,000. */
  readonly connectionsMost?: number | undefined
  /** Accounts; 10,000. The idle one that was called longest ago goes. */
  readonly accountsMost?: number | undefined
  /** Tasks per account, and of all accounts; 100,000 each. The oldest that have ended go. */
  readonly tasksPerAccount?: number | undefined
  readonly tasksInAll?: number | undefined
  /** All tasks together, estimated; 512 MiB. Those that have ended go, first of the account with most. */
  readonly taskBytes?: number | undefined
  /** Calls kept per account; 1,000. */
  readonly journalEntries?: number | undefined
  /** All journals together, estimated; 64 MiB. */
  readonly journalBytes?: number | undefined
  /** Callbacks kept per account, and inbox messages; 1,000. */
  readonly callbackLogEntries?: number | undefined
  /** Callbacks kept of all accounts; 50,000. */
  readonly callbacksLoggedInAll?: number | undefined
  /** Callbacks on their way at a time; 1,000. Others wait. */
  readonly callbacksAtOnce?: number | undefined
  /** Inbox messages of all accounts; 32 MiB. */
  readonly inboxBytes?: number | undefined
  /** Scenarios that play for an account; 100. */
  readonly scenariosMost?: number | undefined
  /** Calls of `/_backlot/wait` that wait at a time; 1,000. */
  readonly waitsAtOnce?: number | undefined
  /** A larger request body is kept shortened. */
  readonly journalBodyBytes?: number | undefined
  /** Where drawn media and inputs are kept; left out, a temporary folder. */
  readonly mediaFolder?: string | undefined
  /** Drawn media kept on disk. */
  readonly mediaDiskBytes?: number | undefined
  /** Drawn media kept in memory. */
  readonly mediaMemoryBytes?: number | undefined
  /** Limits of uploads: an image, a video, a sound, and all assets of an account together. */
  readonly assetImageBytes?: number | undefined
  readonly assetVideoBytes?: number | undefined
  readonly assetAudioBytes?: number | undefined
  readonly assetTotalBytes?: number | undefined
  /** Assets per account. */
  readonly assetsMost?: number | undefined
  /** Assets of all accounts; 50,000. */
  readonly assetsInAll?: number | undefined
  /** Uploads read at the same time, of all accounts. */
  readonly uploadsAtOnce?: number | undefined
  /** Inputs kept for drawing. */
  readonly inputBytes?: number | undefined
  /** Media drawn at the same time; left out, one per processor. */
  readonly rendersAtOnce?: number | undefined
  /** Media that wait to be drawn; 1,000. */
  readonly rendersWaiting?: number | undefined
  /** How long drawing one result may take. */
  readonly renderTimeoutMs?: number | undefined
  /** The file in which everything outlives the process; left out, nothing does. */
  readonly state?: string | undefined
  /** Keep a state file that cannot be read aside, and begin a new one. */
  readonly stateFresh?: boolean | undefined
  /** How far behind the state file may be; 50. */
  readonly stateDelayMs?: number | undefined
  /** A state that is sent to the control API. */
  readonly stateBodyBytes?: number | undefined
  /** Snapshots kept in memory; 100. */
  readonly snapshotsMost?: number | undefined
  /** Path of the ffmpeg to use. */
  readonly ffmpeg?: string | undefined

  /** Where the log goes, a line of JSON for each request; `-` is standard output. */
  readonly logFile?: string | undefined
  /** The least important lines that are logged; `info`. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | undefined
}
