import type { AccountEvent } from '../../core/account/settle.js'

/** Somebody moving an account through time. */
export interface AdvanceSession {
  /** Everything that came about on the account meanwhile, whoever brought it about. */
  readonly heard: AccountEvent[]
  /** What polls it, such as the path of a status query; left out where somebody moves the clock as such. */
  readonly poll?: string
  /** Whether it stands still until what is on its way has landed. */
  isWaiting: boolean
  /** Whether the account is gone, so that there is nothing more to move. */
  isForgotten: boolean
}

/** Who moves which account. */
export interface AdvanceSessions {
  begin(key: string, poll?: string): AdvanceSession
  end(key: string, pass: AdvanceSession): void
  tell(key: string, happening: AccountEvent): void
  isAnyWaiting(key: string): boolean
  /** Whether one stands still that the same poll began, or that is no poll. */
  isTwinWaiting(key: string, poll: string): boolean
  forget(key: string): void
}

export const createAdvanceSessions = (): AdvanceSessions => {
  const byAccount = new Map<string, Set<AdvanceSession>>()
  const passesOf = (key: string): Iterable<AdvanceSession> => byAccount.get(key) ?? []
  return {
    begin: (key, poll) => {
      const pass: AdvanceSession = {
        heard: [],
        ...(poll === undefined ? {} : { poll }),
        isWaiting: false,
        isForgotten: false,
      }
      byAccount.set(key, (byAccount.get(key) ?? new Set()).add(pass))
      return pass
    },
    end: (key, pass) => {
      const passes = byAccount.get(key)
      passes?.delete(pass)
      if (passes?.size === 0) byAccount.delete(key)
    },
    tell: (key, happening) => {
      for (const { heard } of passesOf(key)) heard.push(happening)
    },
    isAnyWaiting: (key) => [...passesOf(key)].some(({ isWaiting }) => isWaiting),
    isTwinWaiting: (key, poll) =>
      [...passesOf(key)].some((pass) => pass.isWaiting && (pass.poll === undefined || pass.poll === poll)),
    forget: (key) => {
      for (const pass of passesOf(key)) pass.isForgotten = true
    },
  }
}
