import type { Rule } from '../../core/task/rule.js'

/** The prompt holds none of the words that the settings have refused (defaults A9, Z31). */
export const promptPassesModeration = <In, E extends string>(
  error: E,
  promptOf: (input: In) => { readonly field: string; readonly text: string },
): Rule<In, E> => ({
  id: 'prompt-passes-moderation',
  says: 'The prompt holds no word of the setting moderationWords.',
  place: 'defaults A9, Z31',
  check: (input, { settings }) => {
    const { field, text } = promptOf(input)
    if (!settings.moderationWords.some((word) => text.includes(word))) return undefined
    return {
      error,
      field,
      found: text,
      allowed: 'a prompt without words of the setting moderationWords',
      message: `${field} may contain sensitive content`,
    }
  },
})
