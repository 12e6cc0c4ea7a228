/**
 * What stands in a large body in the place of a data URL whose Base64 was taken out when it was read
 * (server/http/large-body): `data:image/png;base64,@0:2000:`, and behind that how it began where that is not plain Base64.
 */
export interface Attached {
  /** `data:image/png;base64,` */
  readonly head: string
  /** Its place among the attachments of the body. */
  readonly number: number
  /** How many characters stood behind the head. */
  readonly length: number
  /** As much of them as anybody is shown; empty where that is nothing but Base64 in one line or many. */
  readonly beginning: string
}

const FORM = /^(data:[^,]{0,200};base64,)@(\d+):(\d+):([\s\S]*)$/i

/**
 * What was attached in the place of a text; undefined for every other text. Only a body that has attachments has such
 * places: where a client writes one itself, no more than the length that it is shown with is made up.
 */
export const attachedIn = (text: string): Attached | undefined => {
  const [, head, number, length, beginning = ''] = FORM.exec(text) ?? []
  return head === undefined ? undefined : { head, number: Number(number), length: Number(length), beginning }
}
