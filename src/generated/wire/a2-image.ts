// Written by `npm run generate` from the schemas of the families. Change those.

/** A request of family A2 (§A2). */
export interface Image2Request {
  model: 'alpha-image-2.0-pro'
  input: {
    /** 1 to 100 items. */
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
      }
    | undefined
}

/** The pictures that family A2 makes, with their metering (§A2). */
export interface Image2Answer {
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
    image_count: number
    /** Pixels. */
    width: number
    /** Pixels. */
    height: number
  }
}
