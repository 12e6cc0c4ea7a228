import { shapeOf } from '../contract/error-shapes.js'
import { samplesOf } from '../contract/samples.js'
import type { Target } from './target.js'
import { type Answer, requestText } from './wire.js'

/** Where each family is asked to make something, and how it refuses. */
export const creates = [
  { family: 'a-image', path: '/provA/api/v1/services/aigc/multimodal-generation/generation' },
  { family: 'b-video-task', path: '/provB/api/v3/contents/generations/tasks' },
  { family: 'c-video', path: '/v1/videos' },
  { family: 'f-video-v2', path: '/provC/v2/video_generation' },
] as const

/** A sample request of a family as text, with another field at its beginning. */
export const sampleWith = (family: string, json: string): string => {
  const [sample] = samplesOf(family).filter(({ name }) => name.startsWith('text'))
  return `{${json},${JSON.stringify(sample?.body).slice(1)}`
}

/** Posts a body of any kind on a connection of its own. */
export const post = async (
  target: Pick<Target, 'connect'>,
  path: string,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const bytes = Buffer.from(body)
  const connection = await target.connect()
  const all = { Authorization: 'Bearer hostile', 'Content-Type': 'application/json', ...headers }
  void connection.say(requestText(`POST ${path}`, { ...all, 'Content-Length': bytes.length }))
  void connection.say(bytes)
  const answer = await connection.answer()
  connection.leave()
  if (answer === undefined) throw new Error(`${path}: the connection ended without an answer`)
  return answer
}

/** Whether an error is as the family's errors are; throws what is wrong with it where it is not. */
export const inShapeOf = (family: string, answer: Answer): unknown =>
  shapeOf(family).schema.parse(JSON.parse(answer.text))
