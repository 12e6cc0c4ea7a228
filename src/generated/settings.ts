// Written by `npm run generate` from src/emulator/settings.ts. Change that.
/** All settings of an emulator, each with its value or its default. */
export interface Settings {
  /** Port to listen on; 0 picks a free one; 0 to 65535; default: 4650. */
  readonly port: number
  /** Address to listen on; default: "127.0.0.1". */
  readonly host: string
  /** Base of result URLs; default: the request’s Host. */
  readonly publicUrl?: string | undefined
  /** Addresses of proxies whose X-Forwarded-Host and X-Forwarded-Proto count for result URLs: addresses, subnets or *. */
  readonly trustedProxies: readonly string[]
  /** File of a certificate (PEM), with which the port answers to https:// as well; default: none. */
  readonly tlsCert?: string | undefined
  /** File of its key (PEM), without a passphrase. */
  readonly tlsKey?: string | undefined
  /** Names besides local ones that requests may have in their Host header: names, *.name or *. */
  readonly allowedHosts: readonly string[]
  /** Origins of web pages that may call the service, or *; never the control API. */
  readonly corsOrigins: readonly string[]
  /** Token that the control API requires in X-Backlot-Token; default: none on loopback, a random one beyond it. */
  readonly controlToken?: string | undefined
  /** Secret that signs result URLs; default: derived from the seed, random beyond loopback; with a store that of its first replica; at least 16 characters. */
  readonly signingSecret?: string | undefined
  /** How long the headers of a request may take to come; 1 to 2147483647; default: 20,000. */
  readonly headersTimeoutMs: number
  /** How long a whole request may take to come; 1 to 2147483647; default: 120,000. */
  readonly requestTimeoutMs: number
  /** How long a connection stays open after an answer; 1 to 2147483647; default: 75,000. */
  readonly keepAliveTimeoutMs: number
  /** How long an answer may wait for a client that does not read it; 1 to 2147483647; default: 60,000. */
  readonly unreadTimeoutMs: number
  /** The request line and headers of a request; at least 1024; default: 16,384. */
  readonly headerBytes: number
  /** Requests after which a connection is closed; 0: never; at least 0; default: 0. */
  readonly requestsPerConnection: number
  /** Requests of one connection (pipelined) that have no answer yet; at least 1; default: 1000. */
  readonly requestsAtOncePerConnection: number
  /** Bodies that are read at the same time, of all connections; at least 1; default: 268,435,456. */
  readonly bodyBytesAtOnce: number
  /** Live follows the system clock, paused is moved by hand, on-poll moves when a task is asked about; default: "live". */
  readonly clock: 'live' | 'paused' | 'on-poll'
  /** How many times faster than the system clock a live clock runs; at most 1000000; default: 1. */
  readonly speed: number
  /** Where clocks begin; default: now for live ones and 2026-01-01T00:00:00Z for the others. */
  readonly startAt?: string | undefined
  /** How long tasks take: as on the service, a few seconds, or done at creation; default: "fast". */
  readonly timing: 'realistic' | 'fast' | 'instant'
  /** Seed of everything random: ids, durations, pixels; at least 0; default: 1. */
  readonly seed: number
  /** Scenarios that play for every account: names of ready-made ones, files, or documents. */
  readonly scenario: readonly (
    | string
    | {
        readonly name: string
      }
  )[]
  /** Profiles: what is different in your service; of several, the later ones win. */
  readonly profile: readonly (string | Readonly<Record<string, unknown>>)[]
  /** File of what backlot verify has seen of your service, or none; default: backlot.verified.json of the working directory, where there is one. */
  readonly verified?: string | undefined
  /** Families that are added: files, packages, or in code the families themselves. */
  readonly families: readonly (
    | string
    | {
        readonly id: string
      }
  )[]
  /** Settings of added families, by the id of the family. */
  readonly familySettings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The keys that are accounts; default: every key is one. */
  readonly account: readonly (
    | string
    | {
        /** The API key. */
        readonly key: string
        /** Opening balance; default: the setting. */
        readonly balance?: number | undefined
        /** The user agreement of the asset library; default: true. */
        readonly agreementAccepted?: boolean | undefined
        readonly limits?:
          | {
              /** Creates and uploads accepted in any 60 seconds of the account clock. */
              readonly requestsPerMinute?: number | null | undefined
              /** Tasks that have not ended. */
              readonly tasksInFlight?: number | null | undefined
              /** Images of families A and A2, in all. */
              readonly imageQuota?: number | null | undefined
            }
          | undefined
      }
  )[]
  /** Balance with which an account opens; default: 1,000,000. */
  readonly balance: number
  /** Creates and uploads accepted in any 60 seconds of the account clock; default: null. */
  readonly requestsPerMinute: number | null
  /** Tasks that have not ended; default: null. */
  readonly tasksInFlight: number | null
  /** Images of families A and A2, in all; default: null. */
  readonly imageQuota: number | null
  /** Per second of video, by "model resolution" or "model". */
  readonly prices: Readonly<Record<string, number>>
  /** Refuse unknown fields (gap X11), fields that are null (X13) and a missing duration in F (F11); default: false. */
  readonly strict: boolean
  /** width*height of text-to-image when none is sent, within the bounds of size (A3). */
  readonly defaultImageSize?: string | undefined
  /** Let alpha-image-2.0-pro take image items (A5); default: false. */
  readonly a2Editing: boolean
  /** Body limit of families A and A2 (A7); at least 1; default: 33,554,432. */
  readonly imageBodyBytes: number
  /** Body limit of families B, C, E and F, and of a medium that is read from a URL (F16); at least 1; default: 67,108,864. */
  readonly videoBodyBytes: number
  /** Words that make a prompt refused (A9). */
  readonly moderationWords: readonly string[]
  /** B and C take asset:// only (B10); default: false. */
  readonly requireAssets: boolean
  /** Status words of C and E (C4); default: "specification". */
  readonly videoStatusWords: 'specification' | 'openai-style'
  /** What metadata.url of C and E is: the signed URL of the result, or the path with /content that needs the key (C3); default: "signed". */
  readonly metadataUrl: 'signed' | 'content'
  /** What a key that is sent along to a signed result URL does (X14); default: "serve". */
  readonly resultAuthorization: 'serve' | 'refuse'
  /** Take audio references without a visual one (Z4); default: false. */
  readonly allowAudioOnly: boolean
  /** Which media URLs are read (Z1); default: "local". */
  readonly fetchMedia: 'none' | 'local' | 'all'
  /** Values of group_id that uploads may name; default: any (D2). */
  readonly groups: readonly string[]
  /** Where callbacks may go besides loopback and private addresses: names, *.name or * (Z2). */
  readonly callbackHosts: readonly string[]
  /** Factor of the times in which receivers must answer, 3 s and 5 s (F8, F10); default: 1. */
  readonly callbackTimeoutScale: number
  /** Connections at a time; one more is answered 503 and closed; at least 1; default: 10,000. */
  readonly maxConnections: number
  /** Accounts; the idle one that was called longest ago is evicted; at least 1; default: 10,000. */
  readonly maxAccounts: number
  /** Tasks per account; the oldest that have ended are evicted; at least 1; default: 100,000. */
  readonly tasksPerAccount: number
  /** Tasks of all accounts; those that have ended are evicted, first of the account with most; at least 1; default: 100,000. */
  readonly tasksInAll: number
  /** All tasks together, estimated; those that have ended are evicted, first of the account with most; at least 1; default: 536,870,912. */
  readonly taskBytes: number
  /** Calls kept per account; at least 1; default: 1000. */
  readonly journalEntries: number
  /** All journals together, estimated; the oldest calls of all accounts are evicted; at least 1; default: 67,108,864. */
  readonly journalBytes: number
  /** Callbacks kept per account, and inbox messages; at least 1; default: 1000. */
  readonly callbackLogEntries: number
  /** Callbacks kept of all accounts; the oldest of the longest log go; at least 1; default: 50,000. */
  readonly callbacksLoggedInAll: number
  /** Callbacks on their way at a time; others wait; at least 1; default: 1000. */
  readonly callbacksAtOnce: number
  /** Inbox messages of all accounts; the oldest of the largest inbox are evicted; at least 1; default: 33,554,432. */
  readonly inboxBytes: number
  /** Scenarios that play for an account; at least 1; default: 100. */
  readonly maxScenarios: number
  /** Calls of /_backlot/wait that wait at a time; at least 1; default: 1000. */
  readonly waitsAtOnce: number
  /** A larger request body is kept shortened; at least 0; default: 65,536. */
  readonly journalBodyBytes: number
  /** What results look like: a title card for each, or one picture for all of a size; default of tests and of exec: plain; default: "cards". */
  readonly media: 'cards' | 'plain'
  /** Folder in which rendered media are kept between runs, or none; default: within mediaFolder if that is set, else node_modules/.cache/backlot, else that of the user. */
  readonly mediaCache?: string | undefined
  /** Folder of rendered media and inputs; default: a temporary folder. */
  readonly mediaFolder?: string | undefined
  /** Rendered media kept on disk; at least 1; default: 1,073,741,824. */
  readonly mediaDiskBytes: number
  /** Pictures cut for rendering that are kept in memory; at least 1; default: 67,108,864. */
  readonly mediaMemoryBytes: number
  /** An uploaded image (D7); at least 1; default: 31,457,280. */
  readonly assetImageBytes: number
  /** An uploaded video (D7); at least 1; default: 52,428,800. */
  readonly assetVideoBytes: number
  /** An uploaded sound (D7); at least 1; default: 15,728,640. */
  readonly assetAudioBytes: number
  /** All assets of an account; keep it well below inputBytes; at least 1; default: 536,870,912. */
  readonly assetTotalBytes: number
  /** Assets per account; 1 to 10000; default: 1000. */
  readonly maxAssets: number
  /** Assets of all accounts; at least 1; default: 50,000. */
  readonly assetsInAll: number
  /** Uploads read at the same time, of all accounts; at least 1; default: 64. */
  readonly uploadsAtOnce: number
  /** Inputs kept for rendering; at least 1; default: 1,073,741,824. */
  readonly inputBytes: number
  /** Media rendered at the same time; default: one per processor, but for one; at least 1. */
  readonly rendersAtOnce?: number | undefined
  /** Media that wait to be rendered; at least 1; default: 1000. */
  readonly rendersWaiting: number
  /** How long rendering one result may take; 1 to 2147483647; default: 60,000. */
  readonly renderTimeoutMs: number
  /** Path of the ffmpeg to use. */
  readonly ffmpeg?: string | undefined
  /** State file, which keeps everything across restarts; default: none. */
  readonly state?: string | undefined
  /** Keep a state file that cannot be read aside, and begin a new one; default: false. */
  readonly stateFresh: boolean
  /** Take over a state file whose lock is held by another machine or container, so that nothing says whether that process still runs; default: false. */
  readonly stateTakeOver: boolean
  /** Answer only once the disk has what changed, so that a machine that loses power loses nothing either; default: false. */
  readonly stateFsync: boolean
  /** Deprecated, has no effect: an answer waits until what it changed is written; 0 to 60000. */
  readonly stateDelayMs?: number | undefined
  /** Redis or Valkey server that replicas share; default: none. */
  readonly store?: string | undefined
  /** Prefix of the names of all keys in the store; default: "backlot:". */
  readonly storePrefix: string
  /** How long the store keeps an account that is not called; at least 60000; default: 604,800,000. */
  readonly storeExpiryMs: number
  /** Inputs in the store; the least recently used are evicted; at least 1; default: 1,073,741,824. */
  readonly storeInputBytes: number
  /** A state that is sent to PUT /_backlot/state; at least 1; default: 268,435,456. */
  readonly stateBodyBytes: number
  /** Snapshots kept in memory; the oldest is evicted; at least 1; default: 100. */
  readonly maxSnapshots: number
  /** File of the log, a line of JSON for each request; - is standard output. */
  readonly logFile?: string | undefined
  /** The least important lines that are logged; default: "info". */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}
