/** How much of something each account has. */
export interface Scales {
  readonly total: number
  /** A negative amount takes away. */
  add(key: string, amount: number): void
  forget(key: string): void
  /** The account that has most; undefined where nobody has anything. */
  heaviest(): string | undefined
}

export const createScales = (): Scales => {
  const amounts = new Map<string, number>()
  let total = 0
  return {
    get total() {
      return total
    },
    add: (key, amount) => {
      amounts.set(key, (amounts.get(key) ?? 0) + amount)
      total += amount
    },
    forget: (key) => {
      total -= amounts.get(key) ?? 0
      amounts.delete(key)
    },
    heaviest: () => {
      let found: string | undefined
      let most = 0
      for (const [key, amount] of amounts) {
        if (amount <= most) continue
        found = key
        most = amount
      }
      return found
    },
  }
}
