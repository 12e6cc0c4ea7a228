import type { Rule } from '../../core/task/rule.js'

/** No text of the prompt holds a word that the settings have refused (gap A9, Z31). */
export const promptPassesModeration = <In, E extends string>(
  error: E,
  textsOf: (input: In) => readonly { readonly field: string; readonly text: string }[],
): Rule<In, E> => ({
  id: 'prompt-passes-moderation',
  says: 'The prompt holds no word of the setting moderationWords.',
  place: 'gap A9, Z31',
  check: (input, { settings }) => {
    const refused = textsOf(input).find(({ text }) =>
      settings.moderationWords.some((word) => text.includes(word)),
    )
    return (
      refused && {
        error,
        field: refused.field,
        found: refused.text,
        allowed: 'a prompt without words of the setting moderationWords',
        message: `${refused.field} may contain sensitive content`,
      }
    )
  },
})
