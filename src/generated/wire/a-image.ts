// Written by `npm run generate` from the schemas of the families. Change those.

/** A request of family A (§A). */
export interface ImageRequest {
  model: 'alpha-image-3.0-pro'
  input: {
    /** Exactly 1 item. */
    messages: {
      role: 'user'
      /** At least 1 item. */
      content: {
        image?: string | null | undefined
        text?: string | null | undefined
      }[]
    }[]
  }
  parameters?:
    | {
        /** 1 to 6; default: 1. */
        n?: number | null | undefined
        size?: string | null | undefined
        negative_prompt?: string | null | undefined
        /** Default: true. */
        prompt_extend?: boolean | null | undefined
        /** 0 to 2147483647. */
        seed?: number | null | undefined
        /** Default: false. */
        watermark?: boolean | null | undefined
        /** Default: "direct". */
        prompt_extend_mode?: 'direct' | 'agent' | null | undefined
      }
    | undefined
}

/** The pictures that family A makes, with their metering (§A response). */
export interface ImageAnswer {
  /** The id of the call, as in the header `X-Request-Id`. */
  request_id: string
  output: {
    choices: {
      /** `stop` when finished naturally. */
      finish_reason: string
      message: {
        role: 'assistant'
        /** One item for each image, in order. */
        content: {
          /** Signed, and valid for 24 hours. */
          image: string
        }[]
      }
    }[]
  }
  usage: {
    /** Pixels. */
    output_width: number
    /** Pixels. */
    output_height: number
    /** 0 for text-to-image. */
    input_image_count: number
    /** By the area of the output. */
    input_image_type: 'qima_input_1k' | 'qima_input_2k'
    output_image_count: number
    /** By the area of the output. */
    output_image_type: 'qima_output_1k' | 'qima_output_2k'
  }
}

/** A refusal of families A and A2 (§Errors, gap A1). */
export interface ImageProblem {
  /** The id of the call, as in the header `X-Request-Id`. */
  request_id: string
  code: string
  message: string
}
