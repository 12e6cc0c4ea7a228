// Written by `npm run generate` from the schemas of the families. Change those.

/** A create request of family F (§F, gap F7). */
export interface VideoV2Request {
  model: 'gamma-H3' | 'gamma-H3-Max'
  content: VideoV2ContentItem[]
  /** Default: "768P". */
  resolution?: '480P' | '768P' | '2K' | null | undefined
  /** 4 to 15. */
  duration?: number | null | undefined
  /** Default: "adaptive". */
  ratio?: '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '21:9' | 'adaptive' | null | undefined
  /** An HTTP or HTTPS URL. */
  callback_url?: string | null | undefined
  /** Default: false. */
  watermark?: boolean | null | undefined
  /** Default: false. */
  aigc_watermark?: boolean | null | undefined
}

/** An item of `content`: a text or a medium, with its role. */
export type VideoV2ContentItem =
  | {
      type: 'text'
      text: string
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

/** What a create request of family F answers (§F, gap F1). */
export interface VideoV2Created {
  output: {
    task_id: string
  }
  /** The same as `output.task_id`. */
  task_id: string
}

/** A video task as family F shows it (§F, gap F3 to F6). */
export interface VideoV2Task {
  id: string
  model: 'gamma-H3' | 'gamma-H3-Max'
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** Unix seconds of the account's clock. */
  created_at: number
  /** Unix seconds of the account's clock. */
  updated_at: number
  /** Only once succeeded. */
  content?: {
    /** Signed, and valid for 14 days. */
    url: string
  }
  /** Only once failed; the code is a number as text. */
  error?: {
    code: string
    message: string
  }
  resolution: '480P' | '768P' | '2K'
  /** Seconds. */
  duration: number
  /** Empty until succeeded. */
  usage: {
    total_seconds?: number
    input_seconds?: number
    output_seconds?: number
    input_image_count?: number
  }
  /** The one used, never `adaptive`. */
  ratio: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16'
  task_type: 'generation'
  modality: 'video'
}

/** The task query response of family F, with the same keys at the top, and the body of its callbacks. */
export interface VideoV2Answer {
  task: VideoV2Task
  id: string
  model: 'gamma-H3' | 'gamma-H3-Max'
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** Unix seconds of the account's clock. */
  created_at: number
  /** Unix seconds of the account's clock. */
  updated_at: number
  /** Only once succeeded. */
  content?: {
    /** Signed, and valid for 14 days. */
    url: string
  }
  /** Only once failed; the code is a number as text. */
  error?: {
    code: string
    message: string
  }
  resolution: '480P' | '768P' | '2K'
  /** Seconds. */
  duration: number
  /** Empty until succeeded. */
  usage: {
    total_seconds?: number
    input_seconds?: number
    output_seconds?: number
    input_image_count?: number
  }
  /** The one used, never `adaptive`. */
  ratio: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16'
  task_type: 'generation'
  modality: 'video'
}

/** What cancelling a task of family F answers (gap F17). */
export interface VideoV2Cancelled {
  task_id: string
  action: 'cancelled'
  status: 'cancelled'
}

/** What a callback address of family F gets first, and has to give back (§Callbacks, gap F8). */
export interface VideoV2Challenge {
  challenge: string
}

/** A refusal of family F (§F). */
export interface VideoV2Problem {
  type: 'error'
  error: {
    type: string
    /** Ends in a number in brackets. */
    message: string
    /** The HTTP status as text. */
    http_code: string
  }
  /** The id of the call, as in the header `X-Request-Id`. */
  request_id: string
}
