/** Numbers that look like chance and follow from a seed alone, so that a spec is drawn the same way every time. */
export interface Random {
  between(least: number, most: number): number
  /** A whole number, both ends included. */
  whole(least: number, most: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
  /** True in this share of all cases, 0 to 1. */
  happens(share: number): boolean
}

/** `purpose` tells two sequences of one seed apart. */
export const randomOf = (seed: number | string, purpose: string): Random => {
  let state = hash32(`${seed}|${purpose}`)
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0
    return mixed(state) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1))
  return {
    between: (least, most) => least + fraction() * (most - least),
    whole,
    pick: (choices) => choices[whole(0, choices.length - 1)] ?? choices[0],
    happens: (share) => fraction() < share,
  }
}

const hash32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash
}

const mixed = (state: number): number => {
  const once = Math.imul(state ^ (state >>> 15), state | 1)
  const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
  return (twice ^ (twice >>> 14)) >>> 0
}
