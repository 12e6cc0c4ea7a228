import type { ContentItem } from './shared.js'

// Written by scripts/make-wire-types.ts from the schemas beside it. Change those.

/** A create request of family B (§B, gap B2). */
export interface VideoTaskRequest {
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  /** at least 1 item */
  content: ContentItem[]
  /** "adaptive" when left out */
  ratio?: '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '21:9' | 'adaptive' | undefined
  /** an integer from 4 to 15, or -1; 5 when left out */
  duration?: number | undefined
  /** "720p" when left out */
  resolution?: '480p' | '720p' | '1080p' | undefined
  /** -1 to 4294967295; -1 when left out */
  seed?: number | undefined
  /** true when left out */
  generate_audio?: boolean | undefined
  /** false when left out */
  watermark?: boolean | undefined
  /** false when left out */
  camera_fixed?: boolean | undefined
  /** false when left out */
  draft?: boolean | undefined
  /** false when left out */
  return_last_frame?: boolean | undefined
  /** "default" when left out */
  service_tier?: 'default' | 'flex' | undefined
  /** 3600 to 259200; 172800 when left out */
  execution_expires_after?: number | undefined
  /** 0 to 9; 0 when left out */
  priority?: number | undefined
  /** at most 64 characters */
  safety_identifier?: string | undefined
  /** an HTTP or HTTPS URL */
  callback_url?: string | undefined
}

/** The query of a task list (§B List, gap B5). */
export interface VideoTaskListQuery {
  /** at least 1; 1 when left out */
  page_num?: number | undefined
  /** 1 to 500; 10 when left out */
  page_size?: number | undefined
  'filter.status'?: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired' | undefined
  'filter.model'?: string | undefined
  'filter.task_ids'?: string[] | undefined
}

/** What a create request of family B answers (gap B1). */
export interface VideoTaskCreated {
  id: string
}

/** A video task as family B shows it, and as its callbacks carry it (§B and C, gap B3, B17). */
export interface VideoTask {
  id: string
  model: 'videoa-2-0-260128' | 'videoa-2-0-fast-260128'
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'
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
}

/** A page of tasks, newest first (gap B5). */
export interface VideoTaskList {
  items: VideoTask[]
  /** how many there are, on all pages */
  total: number
}

/** What cancelling or deleting a task answers (gap B6). */
export type VideoTaskCancelled = Record<string, never>

/** A refusal of family B (defaults B). */
export interface VideoTaskProblem {
  error: {
    code: string
    /** ends in the request id */
    message: string
    /** the field, where one is to blame */
    param: string
    type: string
  }
}
