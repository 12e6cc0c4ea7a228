// Written by `npm run generate` from the schemas of the families. Change those.

/** An item of `content`: a text, or a medium with its role. */
export type ContentItem =
  | {
      type: 'text'
      text: string
    }
  | {
      type: 'image_url'
      image_url: {
        url: string
      }
      role?:
        | 'first_frame'
        | 'last_frame'
        | 'reference_image'
        | 'reference_video'
        | 'reference_audio'
        | null
        | undefined
    }
  | {
      type: 'video_url'
      video_url: {
        url: string
      }
      role?:
        | 'first_frame'
        | 'last_frame'
        | 'reference_image'
        | 'reference_video'
        | 'reference_audio'
        | null
        | undefined
    }
  | {
      type: 'audio_url'
      audio_url: {
        url: string
      }
      role?:
        | 'first_frame'
        | 'last_frame'
        | 'reference_image'
        | 'reference_video'
        | 'reference_audio'
        | null
        | undefined
    }

/** A create request of family B (§B, gap B2). */
export interface VideoTaskRequest {
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** At least 1 item. */
  content: ContentItem[]
  /** Default: "adaptive". */
  ratio?: '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '21:9' | 'adaptive' | null | undefined
  /** An integer from 4 to 15, or -1; default: 5. */
  duration?: number | null | undefined
  /** Default: "720p". */
  resolution?: '480p' | '720p' | '1080p' | null | undefined
  /** -1 to 4294967295; default: -1. */
  seed?: number | null | undefined
  /** Default: true. */
  generate_audio?: boolean | null | undefined
  /** Default: false. */
  watermark?: boolean | null | undefined
  /** Default: false. */
  camera_fixed?: boolean | null | undefined
  /** Default: false. */
  draft?: boolean | null | undefined
  /** Default: false. */
  return_last_frame?: boolean | null | undefined
  /** Default: "default". */
  service_tier?: 'default' | 'flex' | null | undefined
  /** 3600 to 259200; default: 172,800. */
  execution_expires_after?: number | null | undefined
  /** 0 to 9; default: 0. */
  priority?: number | null | undefined
  /** At most 64 characters. */
  safety_identifier?: string | null | undefined
  /** An HTTP or HTTPS URL. */
  callback_url?: string | null | undefined
}

/** The query of a task list (§B list, gap B5). */
export interface VideoTaskListQuery {
  /** At least 1; default: 1. */
  page_num?: number | undefined
  /** 1 to 500; default: 10. */
  page_size?: number | undefined
  'filter.status'?: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired' | undefined
  'filter.model'?: string | undefined
  'filter.service_tier'?: 'default' | 'flex' | undefined
  'filter.task_ids'?: string[] | undefined
  id?: string | undefined
}

/** What a create request of family B answers (gap B1). */
export interface VideoTaskCreated {
  id: string
}

/** A video task as family B shows it, and as its callbacks carry it (§B query, gap B3, B17). */
export interface VideoTask {
  id: string
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'
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
}

/** A page of tasks, newest first (gap B5). */
export interface VideoTaskList {
  items: VideoTask[]
  /** How many there are, on all pages. */
  total: number
}

/** What cancelling or deleting a task answers (gap B6). */
export type VideoTaskCancelled = Record<string, never>

/** A refusal of family B (gap B8). */
export interface VideoTaskProblem {
  error: {
    code: string
    /** Ends in the request id. */
    message: string
    /** The field, where one is to blame. */
    param: string
    type: string
  }
}
