interface UploadParts {
  /** Calls the service as a client of the account does. */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>
  /** Returns a promise of the next change of an asset of the account, seen from now on. */
  readonly nextChange: () => Promise<unknown>
  /** Called when the file has arrived, and is processed on the account's clock, with what asks whether that is over. */
  readonly onProcessing: (isOver: () => Promise<boolean>) => void
}

/** Answers of the asset library as far as they are read here. */
interface LibraryAnswer {
  readonly message?: string
  readonly data?: {
    readonly task_id?: string
    readonly status?: string
    readonly asset_id?: string
    readonly error?: { readonly message?: string }
  } | null
}

/**
 * Uploads a file to the asset library, and waits until requests can name it. @returns `asset://…`
 * @throws Error with a sentence: the upload was refused, or its job has failed
 */
export const uploadAsset = async (
  { call, nextChange, onProcessing }: UploadParts,
  file: File,
): Promise<string> => {
  const form = new FormData()
  form.set('file', file)
  const { data } = await read(await call('/v1/asset/upload', { method: 'POST', body: form }))
  const jobPath = `/v1/asset/jobs/get-asset-id?${new URLSearchParams({ task_id: data?.task_id ?? '' })}`
  const askForJob = async () => read(await call(jobPath))
  for (;;) {
    // Begun before the job is asked for: a change in between would be missed.
    const change = nextChange()
    const job = await askForJob()
    if (job.data?.asset_id !== undefined) return `asset://${job.data.asset_id}`
    const { error } = job.data ?? {}
    if (error !== undefined) throw new Error(`The asset library did not take ${file.name}: ${error.message}.`)
    onProcessing(async () => (await askForJob()).data?.status !== 'Processing')
    await change
  }
}

const read = async (response: Response): Promise<LibraryAnswer> => {
  const answer = (await response.json().catch(() => ({}))) as LibraryAnswer
  if (response.ok) return answer
  throw new Error(`The asset library answered with ${response.status}: ${answer.message ?? 'no reason'}.`)
}
