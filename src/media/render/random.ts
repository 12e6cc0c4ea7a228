/** Seeded random numbers: they follow from a seed alone, so that a spec is rendered the same way every time. */
export interface Random {
  between(min: number, max: number): number
  /** A whole number, both ends included. */
  integer(min: number, max: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean
}

/** Mulberry32, seeded with an FNV-1a hash. `purpose` tells two sequences of one seed apart. */
export const randomOf = (seed: number | string, purpose: string): Random => {
  let state = 0x811c9dc5
  for (const byte of Buffer.from(`${seed}|${purpose}`)) state = Math.imul(state ^ byte, 0x01000193)
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0
    const once = Math.imul(state ^ (state >>> 15), state | 1)
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1))
  return {
    between: (min, max) => min + fraction() * (max - min),
    integer,
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
    chance: (probability) => fraction() < probability,
  }
}
