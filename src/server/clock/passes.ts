import type { Happening } from '../../core/account/settle.js'

/** Somebody moving an account through time. */
export interface Pass {
  /** Everything that came about on the account meanwhile, whoever brought it about. */
  readonly heard: Happening[]
  /** Whether it stands still until what is on its way has landed. */
  isWaiting: boolean
  /** Whether the account is gone, so that there is nothing more to move. */
  isForgotten: boolean
}

/** Who moves which account. */
export interface Passes {
  begin(key: string): Pass
  end(key: string, pass: Pass): void
  tell(key: string, happening: Happening): void
  isAnyWaiting(key: string): boolean
  forget(key: string): void
}

export const createPasses = (): Passes => {
  const byAccount = new Map<string, Set<Pass>>()
  const passesOf = (key: string): Iterable<Pass> => byAccount.get(key) ?? []
  return {
    begin: (key) => {
      const pass: Pass = { heard: [], isWaiting: false, isForgotten: false }
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
    forget: (key) => {
      for (const pass of passesOf(key)) pass.isForgotten = true
    },
  }
}
