// Written by scripts/make-wire-types.ts from the schemas beside it. Change those.

/** A create request of family C (§C). */
export interface UnifiedVideoRequest {
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** at least 1 item */
  media: (
    | {
        type: 'text'
        text: string
      }
    | {
        type: 'first_frame' | 'last_frame' | 'reference_image' | 'reference_video' | 'reference_audio'
        url?: string | undefined
        asset_id?: string | undefined
      }
  )[]
  /** "4" to "15", or "-1", as a string or an integer; "5" when left out */
  seconds?: string | number | undefined
  /** "720p" when left out */
  size?: '480p' | '720p' | '1080p' | undefined
  ratio?: '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '21:9' | 'adaptive' | undefined
  /** -1 to 4294967295; -1 when left out */
  seed?: number | undefined
  /** false when left out */
  watermark?: boolean | undefined
  /** true when left out */
  generate_audio?: boolean | undefined
  /** false when left out */
  return_last_frame?: boolean | undefined
  /** at most 64 characters */
  safety_identifier?: string | undefined
}

/** What a create request of family C answers (gap C1). */
export interface UnifiedVideoCreated {
  id: string
  /** the same as `id` */
  task_id: string
  object: 'video'
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style` */
  status:
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'in_progress'
    | 'completed'
  /** whole percent */
  progress: number
  /** Unix seconds of the account's clock */
  created_at: number
}

/** A video task as family C shows it (§B and C, gap C3). */
export interface UnifiedVideo {
  id: string
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style` */
  status:
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'in_progress'
    | 'completed'
  /** why there is no result; null unless the task failed or expired */
  error: {
    code: string
    message: string
  } | null
  /** Unix seconds of the account's clock */
  created_at: number
  /** Unix seconds of the account's clock */
  updated_at: number
  /** only once succeeded */
  content?: {
    /** signed, and valid for 14 days */
    video_url: string
    /** only where `return_last_frame` was asked for */
    last_frame_url?: string
  }
  /** only once succeeded */
  usage?: {
    completion_tokens: number
    total_tokens: number
  }
  /** the one used */
  seed: number
  resolution: '480p' | '720p' | '1080p'
  /** the one used, never `adaptive` */
  ratio: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16'
  /** seconds */
  duration: number
  framespersecond: number
  generate_audio: boolean
  service_tier: 'default' | 'flex'
  /** seconds after creation at which the task expires */
  execution_expires_after: number
  draft: boolean
  priority: number
  /** only where the request had one */
  safety_identifier?: string
  /** the same as `id` */
  task_id: string
  object: 'video'
  /** whole percent */
  progress: number
  /** when it ended, in whichever way; null until it does */
  completed_at: number | null
  /** only once succeeded */
  url?: string
  /** the same as `url` */
  video_url?: string
  /** only once succeeded */
  metadata?: {
    /** signed, and valid for 14 days */
    url: string
  }
}

/** A refusal of families C and E, in both shapes that clients read (defaults C). */
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
