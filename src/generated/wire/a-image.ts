// Written by scripts/make-wire-types.ts from the schemas beside it. Change those.

/** A request of family A (§A). */
export interface ImageRequest {
  model: 'alpha-image-3.0-pro'
  input: {
    /** exactly 1 item */
    messages: {
      role: 'user'
      /** at least 1 item */
      content: {
        image?: string | undefined
        text?: string | undefined
      }[]
    }[]
  }
  parameters?:
    | {
        /** 1 to 6; 1 when left out */
        n?: number | undefined
        size?: string | undefined
        negative_prompt?: string | undefined
        /** true when left out */
        prompt_extend?: boolean | undefined
        /** 0 to 2147483647 */
        seed?: number | undefined
        /** false when left out */
        watermark?: boolean | undefined
        /** "direct" when left out */
        prompt_extend_mode?: 'direct' | 'agent' | undefined
      }
    | undefined
}

/** The pictures that family A makes, with their metering (§A success response). */
export interface ImageAnswer {
  /** the id of the call, as in the header `X-Request-Id` */
  request_id: string
  output: {
    choices: {
      /** `stop` when finished naturally */
      finish_reason: string
      message: {
        role: 'assistant'
        /** one item for each image, in order */
        content: {
          /** signed, and valid for 24 hours */
          image: string
        }[]
      }
    }[]
  }
  usage: {
    /** pixels */
    output_width: number
    /** pixels */
    output_height: number
    /** 0 for text-to-image */
    input_image_count: number
    /** by the area of the output */
    input_image_type: 'qima_input_1k' | 'qima_input_2k'
    output_image_count: number
    /** by the area of the output */
    output_image_type: 'qima_output_1k' | 'qima_output_2k'
  }
}

/** A refusal of families A and A2 (§Errors, defaults A). */
export interface ImageProblem {
  /** the id of the call, as in the header `X-Request-Id` */
  request_id: string
  code: string
  message: string
}
