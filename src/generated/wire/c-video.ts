// Written by `npm run generate` from the schemas of the families. Change those.

/** A create request of family C (§C). */
export interface UnifiedVideoRequest {
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** At least 1 item. */
  media: (
    | {
        type: 'text'
        text: string
      }
    | {
        type: 'first_frame' | 'last_frame' | 'reference_image' | 'reference_video' | 'reference_audio'
        url?: string | null | undefined
        asset_id?: string | null | undefined
      }
  )[]
  /** "4" to "15", or "-1", as a string or an integer; default: "5". */
  seconds?: string | number | null | undefined
  /** Default: "720p". */
  size?: '480p' | '720p' | '1080p' | null | undefined
  ratio?: '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '21:9' | 'adaptive' | null | undefined
  /** -1 to 4294967295; default: -1. */
  seed?: number | null | undefined
  /** Default: false. */
  watermark?: boolean | null | undefined
  /** Default: true. */
  generate_audio?: boolean | null | undefined
  /** Default: false. */
  return_last_frame?: boolean | null | undefined
  /** At most 64 characters. */
  safety_identifier?: string | null | undefined
}

/** What a create request of family C answers (gap C1). */
export interface UnifiedVideoCreated {
  id: string
  /** The same as `id`. */
  task_id: string
  object: 'video'
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style`. */
  status:
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'in_progress'
    | 'completed'
  /** Whole percent. */
  progress: number
  /** Unix seconds of the account's clock. */
  created_at: number
}

/** A video task as family C shows it (§B query, gap C3). */
export interface UnifiedVideo {
  id: string
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style`. */
  status:
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'in_progress'
    | 'completed'
  /** Why there is no result; null unless the task failed or expired. */
  error: {
    code: string
    message: string
  } | null
  /** Unix seconds of the account's clock. */
  created_at: number
  /** Unix seconds of the account's clock. */
  updated_at: number
  /** Only once succeeded. */
  content?: {
    /** Signed, and valid for 14 days. */
    video_url: string
    /** Only where `return_last_frame` was asked for. */
    last_frame_url?: string
  }
  /** Only once succeeded. */
  usage?: {
    completion_tokens: number
    total_tokens: number
  }
  /** The one used. */
  seed: number
  resolution: '480p' | '720p' | '1080p'
  /** The one used, never `adaptive`. */
  ratio: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16'
  /** Seconds. */
  duration: number
  framespersecond: number
  generate_audio: boolean
  service_tier: 'default' | 'flex'
  /** Seconds after creation at which the task expires. */
  execution_expires_after: number
  draft: boolean
  priority: number
  /** Only where the request had one. */
  safety_identifier?: string
  /** The same as `id`. */
  task_id: string
  object: 'video'
  /** Whole percent. */
  progress: number
  /** When it ended, in whichever way; null until it does. */
  completed_at: number | null
  /** Only once succeeded. */
  url?: string
  /** The same as `url`. */
  video_url?: string
  /** Only once succeeded. */
  metadata?: {
    /** Signed, and valid for 14 days. */
    url: string
  }
}

/** A refusal of families C and E, in both shapes that clients read (gap C6). */
export interface UnifiedVideoProblem {
  code: string
  message: string
  data: null
  error: {
    message: string
    type: string
    code: string
    param: null
  }
}
