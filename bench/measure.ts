export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

/** Milliseconds that something takes. */
export const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await run()
  return performance.now() - before
}

/** The median time of several runs, after one that does not count. */
export const medianTime = async (
  rounds: number,
  run: (round: number) => Promise<unknown>,
): Promise<number> => {
  await run(-1)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timed(() => run(round)))
  return median(times)
}
