import { useEffect, useState } from 'preact/hooks'
import { account, invoke } from '../app.js'
import type { ActionInput, ActionName, ActionOutput, ApiError } from '../state/api.js'

/** Answer of a control action, or why there is none. Both undefined: it has not come yet. */
export interface Asked<T> {
  readonly answer: T | undefined
  readonly problem: ApiError | undefined
}

/**
 * Hook: the answer of a control action for the account that is shown, asked again when a dependency changes. The latest
 * answer stays until the next one has come.
 */
export const useAnswer = <N extends ActionName>(
  name: N,
  input: ActionInput<N>,
  dependencies: readonly unknown[],
): Asked<ActionOutput<N>> => {
  const [asked, setAsked] = useState<Asked<ActionOutput<N>>>({ answer: undefined, problem: undefined })
  useEffect(() => {
    let isCurrent = true
    invoke(name, input).then(
      (answer) => isCurrent && setAsked({ answer, problem: undefined }),
      (problem) => isCurrent && setAsked(({ answer }) => ({ answer, problem: problem as ApiError })),
    )
    return () => {
      isCurrent = false
    }
  }, [account.value.account, ...dependencies])
  return asked
}
