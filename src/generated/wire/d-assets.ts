// Written by `npm run generate` from the schemas of the families. Change those.

/** The query of a resolve (§D resolve). */
export interface AssetJobQuery {
  /** The one that an upload answered. */
  task_id: string
}

/** What an upload answers (§D upload, gap D1). */
export interface AssetUploaded {
  code: 200
  data: {
    task_id: string
  }
  msg: string
  /** The same as `msg`. */
  message: string
}

/** What a job of the asset library has come to (§D resolve, gap D3 to D5). */
export type AssetJob =
  | {
      code: 202
      data: {
        task_id: string
        status: 'Processing'
      }
      msg: string
      /** The same as `msg`. */
      message: string
    }
  | {
      code: 200
      data: {
        task_id: string
        status: 'Active'
        /** What requests name as `asset://<asset_id>`. */
        asset_id: string
      }
      msg: string
      /** The same as `msg`. */
      message: string
    }
  | {
      code: 500
      data: {
        task_id: string
        status: 'Failed'
        error: {
          code: string
          message: string
        }
      }
      msg: string
      /** The same as `msg`. */
      message: string
    }

/** A refusal of family D (gap D6, D7, Z23). */
export interface AssetProblem {
  /** The HTTP status. */
  code: number
  data: null
  msg: string
  /** The same as `msg`. */
  message: string
}
