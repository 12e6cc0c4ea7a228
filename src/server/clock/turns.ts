/**
 * Lets one at a time do something for a name, in the order in which they came. Resolves when the turn has come, with
 * what ends it.
 */
export type KeyedMutex = (name: string) => Promise<() => void>

export const createKeyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<void>>()
  return async (name) => {
    const before = last.get(name)
    let end = () => {}
    const mine = new Promise<void>((resolve) => {
      end = () => {
        if (last.get(name) === mine) last.delete(name)
        resolve()
      }
    })
    last.set(name, mine)
    await before
    return end
  }
}
