// Written by `npm run generate` from the schemas of the families. Change those.

/** A create request of family E (§E, gaps E1 to E5). */
export interface ReferenceVideoRequest {
  model: 'beta2.7-r2v'
  /** At least 1 item. */
  subject_reference: {
    type: 'character'
    image: string | string[]
  }[]
  /** At most 800 characters. */
  prompt?: string | null | undefined
  /** "2" to "15", as a string or an integer; default: "5". */
  seconds?: string | number | null | undefined
  /** Default: "1080P". */
  size?: '720P' | '1080P' | null | undefined
  /** Default: false. */
  prompt_extend?: boolean | null | undefined
  /** Default: false. */
  watermark?: boolean | null | undefined
  /** 0 to 2147483647. */
  seed?: number | null | undefined
}

/** What a create request of family E answers (§E response). */
export interface ReferenceVideoCreated {
  id: string
  /** The same as `id`. */
  task_id: string
  object: 'video'
  model: 'beta2.7-r2v'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style`. */
  status:
    | 'pending'
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'in_progress'
    | 'completed'
  /** Whole percent. */
  progress: number
  /** Unix seconds of the account's clock. */
  created_at: number
}

/** A video task as family E shows it (gap E7, Z27). */
export interface ReferenceVideo {
  id: string
  /** The same as `id`. */
  task_id: string
  object: 'video'
  model: 'beta2.7-r2v'
  /** `in_progress` and `completed` only with the setting `videoStatusWords: openai-style`. */
  status:
    | 'pending'
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'in_progress'
    | 'completed'
  /** Whole percent. */
  progress: number
  /** Unix seconds of the account's clock. */
  created_at: number
  /** Unix seconds of the account's clock. */
  updated_at: number
  seconds: string
  size: '720P' | '1080P'
  /** The one used. */
  seed: number
  /** Why there is no result; null unless the task failed or expired. */
  error: {
    code: string
    message: string
  } | null
  /** Only once succeeded. */
  content?: {
    /** Signed, and valid for 14 days. */
    video_url: string
  }
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
