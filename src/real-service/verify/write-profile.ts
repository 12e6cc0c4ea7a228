import { counted } from '../../command/command.js'
import { isoOf, version } from '../../emulator/surface/records.js'
import type { Change, ProfileDocument } from './changes.js'

/**
 * A profile as YAML, with a comment at each value that says how often it was seen, and in which call first.
 * @param from what it was made of, in words, for the first line
 */
export const profileText = async (
  profile: ProfileDocument,
  changes: readonly Change[],
  from: string,
  now: number,
): Promise<string> => {
  const { Document, isMap, isScalar } = await import('yaml')
  const document = new Document({ writtenBy: version, ...profile })
  document.commentBefore = ` Made ${from} on ${isoOf(now).slice(0, 10)}. docs/profiles.md describes every key.`
  for (const { at, value, isItem, seenIn } of changes) {
    const [first] = seenIn
    if (first === undefined) continue
    const count = counted(new Set(seenIn).size, 'answer')
    const comment = ` ${count}, first: ${first.exchange.says}`.replace(/[\r\n]/g, ' ')
    const parent = document.getIn(at.slice(0, -1))
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => (isScalar(key) ? key.value : key) === at.at(-1))
      : undefined
    const list = isItem === true ? document.getIn(at) : undefined
    const item = (list as { items?: readonly unknown[] } | undefined)?.items?.find(
      (one) => isScalar(one) && one.value === value,
    )
    const node = isScalar(item) ? item : isScalar(pair?.value) ? pair.value : undefined
    if (node !== undefined) node.comment = comment
    else if (isScalar(pair?.key)) pair.key.commentBefore = comment
  }
  return document.toString({ lineWidth: 0 })
}
