import type { Probe } from '../../core/contract.js'
import { withWrongKeys } from '../shared/probes.js'

const UPLOAD = '/v1/asset/upload'
const JOB = '/v1/asset/jobs/get-asset-id'

const form = 'multipart/form-data; boundary=part'
const group = '--part\r\nContent-Disposition: form-data; name="group_id"\r\n\r\ngroup\r\n--part--\r\n'

/** Calls that D refuses. */
export const probes: readonly Probe[] = [
  ...withWrongKeys('an upload', UPLOAD),
  { says: 'an upload without a file', method: 'POST', path: UPLOAD, body: [form, group] },
  { says: 'an asset of no job', method: 'GET', path: JOB, key: 'none' },
  { says: 'an asset of a job that there is not', method: 'GET', path: `${JOB}?task_id=none`, key: 'none' },
]
