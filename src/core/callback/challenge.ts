/** How many characters a challenge has (gap F8). */
export const CHALLENGE_LENGTH = 32

/** Whether a receiver gave the challenge back: as `challenge` of its JSON, or as its whole text (gap F8). */
export const returnsChallenge = (answer: string, challenge: string): boolean =>
  answer === challenge || challengeIn(answer) === challenge

const challengeIn = (answer: string): unknown => {
  try {
    return (JSON.parse(answer) as { challenge?: unknown } | null)?.challenge
  } catch {
    return undefined
  }
}
