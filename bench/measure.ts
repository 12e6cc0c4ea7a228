/** Whether the run is the short one of every day: fewer rounds and smaller counts, and nothing is saved. */
export const isQuick = process.argv.includes('--quick')

/** Number of a full run, or of a quick one. */
export const inFullOr = (full: number, quick: number): number => (isQuick ? quick : full)

/** Value below which the given share of the values lies: 0.5 is the median. */
export const percentile = (values: ArrayLike<number>, share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Milliseconds that something takes. */
export const timed = async (run: () => unknown): Promise<number> => {
  const before = performance.now()
  await run()
  return performance.now() - before
}

/** Milliseconds of each of several runs, after one that does not count. */
export const timesOf = async (rounds: number, run: () => unknown): Promise<number[]> => {
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) times.push(await timed(run))
  return times.slice(1)
}

/** Median of each candidate's results, or of what is taken from them. */
export const medians = <Result>(
  results: Readonly<Record<string, readonly Result[]>>,
  pick: (result: Result) => number,
): Record<string, number> =>
  Object.fromEntries(Object.entries(results).map(([name, some]) => [name, median(some.map(pick))]))

/**
 * Results of each candidate over several rounds, after one that does not count. Each round begins with another
 * candidate, so that each has its turn at every place: the machine is not the same from one moment to the next.
 */
export const byTurns = async <Name extends string, Result>(
  names: readonly Name[],
  rounds: number,
  turn: (name: Name) => Promise<Result>,
): Promise<Readonly<Record<Name, readonly Result[]>>> => {
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = 0; round <= rounds; round += 1)
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(round + place) % names.length] as Name
      const result = await turn(name)
      if (round > 0) results[name].push(result)
    }
  return results
}
