// Written by scripts/make-wire-types.ts from the schemas beside it. Change those.

/** A create request of family E (§E, gap E1 to E5). */
export interface ReferenceVideoRequest {
  model: 'beta2.7-r2v'
  /** at least 1 item */
  subject_reference: {
    type: 'character'
    image: string | string[]
  }[]
  prompt?: string | undefined
  /** "2" to "15", as a string or an integer; "5" when left out */
  seconds?: string | number | undefined
  /** "1080P" when left out */
  size?: '720P' | '1080P' | undefined
  /** false when left out */
  prompt_extend?: boolean | undefined
  /** false when left out */
  watermark?: boolean | undefined
  /** 0 to 2147483647 */
  seed?: number | undefined
}

/** What a create request of family E answers (§E response). */
export interface ReferenceVideoCreated {
  id: string
  /** the same as `id` */
  task_id: string
  object: 'video'
  model: 'beta2.7-r2v'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style` */
  status:
    | 'pending'
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'in_progress'
    | 'completed'
  /** whole percent */
  progress: number
  /** Unix seconds of the account's clock */
  created_at: number
}

/** A video task as family E shows it (gap E7, Z27). */
export interface ReferenceVideo {
  id: string
  /** the same as `id` */
  task_id: string
  object: 'video'
  model: 'beta2.7-r2v'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style` */
  status:
    | 'pending'
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'in_progress'
    | 'completed'
  /** whole percent */
  progress: number
  /** Unix seconds of the account's clock */
  created_at: number
  /** Unix seconds of the account's clock */
  updated_at: number
  seconds: string
  size: '720P' | '1080P'
  /** the one used */
  seed: number
  /** why there is no result; null unless the task failed or expired */
  error: {
    code: string
    message: string
  } | null
  /** only once succeeded */
  content?: {
    /** signed, and valid for 14 days */
    video_url: string
  }
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
