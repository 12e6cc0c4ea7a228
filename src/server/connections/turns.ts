/** Lets so much be done in one turn of the event loop, so that whoever else asks comes in between. */
export interface TickBudget {
  /** Does it at once, or in one of the next turns where so much has been done in this one, or others wait already. */
  take(act: () => void): void
}

export const createTickBudget = (mostInOne: number): TickBudget => {
  const waiting: (() => void)[] = []
  let left = mostInOne
  let isPlanned = false

  const plan = (): void => {
    if (isPlanned) return
    isPlanned = true
    setImmediate(turn)
  }

  const turn = (): void => {
    isPlanned = false
    const now = waiting.splice(0, mostInOne)
    left = mostInOne - now.length
    if (now.length > 0) plan()
    for (const act of now) act()
  }

  return {
    take: (act) => {
      plan()
      if (left === 0 || waiting.length > 0) return void waiting.push(act)
      left -= 1
      act()
    },
  }
}
