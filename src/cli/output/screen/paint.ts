import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Puts colour on a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string

/** Colour for terminals alone, and not where NO_COLOR is set (no-color.org). */
export const paintFor = (
  stream: { readonly isTTY?: boolean },
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): Paint => {
  const isColoured = stream.isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
  // Whether to colour is settled here, for the stream that is written to.
  return isColoured ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text
}
