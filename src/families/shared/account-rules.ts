import { balanceOf } from '../../core/account/account.js'
import type { Rule } from '../../core/contract.js'

/** The account has accepted the asset library user agreement (§Agreement, gap X5). */
export const accountHasAgreed = <E extends string>(error: E): Rule<unknown, E> => ({
  id: 'account-has-agreed',
  says: 'The account has accepted the asset library user agreement.',
  place: 'docs/families/every-family.md#agreement, docs/gaps.md#x5',
  check: (_, { account }) =>
    account.agreementAccepted
      ? undefined
      : {
          error,
          found: false,
          allowed: 'agreementAccepted: true',
          message: 'Asset library user agreement not accepted',
        },
})

/** The balance is positive: video is paid for when it succeeds (§Balance, gap X4). */
export const balanceIsPositive = <E extends string>(error: E): Rule<unknown, E> => ({
  id: 'balance-is-positive',
  says: 'The balance of the account is above 0.',
  place: 'docs/families/every-family.md#balance, docs/gaps.md#x4',
  check: (_, { account }) =>
    balanceOf(account) > 0
      ? undefined
      : {
          error,
          found: balanceOf(account),
          allowed: 'a balance above 0',
          message: `The account has an insufficient balance (${balanceOf(account)})`,
        },
})

/** The account has room for one more unfinished task (gap X6, Z8). */
export const tasksInFlightAreFew = <E extends string>(error: E): Rule<unknown, E> => ({
  id: 'tasks-in-flight',
  says: 'The account has fewer unfinished tasks than its limit tasksInFlight.',
  place: 'docs/gaps.md#x6',
  check: (_, { account }) => {
    const most = account.limits.tasksInFlight
    if (most === null || account.tasks.inFlight < most) return undefined
    return {
      error,
      found: account.tasks.inFlight,
      allowed: `at most ${most} tasks in flight`,
      message: `The account has ${account.tasks.inFlight} tasks in flight, and its limit is ${most}`,
      retryAfterSeconds: 1,
    }
  },
})

/** No text of the prompt holds a word that the settings have refused (gap A9, Z31). */
export const promptPassesModeration = <In, E extends string>(
  error: E,
  textsOf: (input: In) => readonly { readonly field: string; readonly text: string }[],
): Rule<In, E> => ({
  id: 'prompt-passes-moderation',
  says: 'The prompt holds no word of the setting moderationWords.',
  place: 'docs/gaps.md#a9, docs/gaps.md#z31',
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
