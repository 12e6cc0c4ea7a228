import { fieldsOf, idIn } from './ids.js'
import type { FailedJob, ObservedCall } from './seen.js'

/** The uploads whose job was later seen to have failed (gap D5). */
export const failedJobsIn = (calls: readonly ObservedCall[]): FailedJob[] => {
  const uploads = new Map(
    calls.flatMap((call) => (isUpload(call) ? [[idIn(call.answer.json), call] as const] : [])),
  )
  const jobs = new Map<ObservedCall, FailedJob>()
  for (const { operation, answer } of calls) {
    const { task_id: id, status, error } = fieldsOf(fieldsOf(answer.json).data)
    const upload = uploads.get(String(id))
    if (operation !== 'd-assets.resolve' || status !== 'Failed' || upload === undefined) continue
    const { code, message } = fieldsOf(error)
    jobs.set(upload, { upload, code: String(code ?? 'Failed'), message: String(message ?? 'The job failed') })
  }
  return [...jobs.values()]
}

const isUpload = ({ operation }: ObservedCall): boolean => operation === 'd-assets.upload'
