import { useEffect, useRef, useState } from 'preact/hooks'
import { account, invoke } from '../app.js'
import type { ActionInput, ActionName, ActionOutput, ApiError } from '../state/api.js'

/** Answer of a control action, or why there is none. Both undefined: it has not come yet. */
export interface Asked<T> {
  readonly answer: T | undefined
  readonly problem: ApiError | undefined
}

/**
 * Hook: the answer of a control action for the account that is shown, asked again when a dependency changes. One question is
 * under way at a time, so that dependencies that change quicker than answers come delay none; the latest answer stays
 * until the next one has come.
 */
export const useAnswer = <N extends ActionName>(
  name: N,
  input: ActionInput<N>,
  dependencies: readonly unknown[],
): Asked<ActionOutput<N>> => {
  const [asked, setAsked] = useState<Asked<ActionOutput<N>>>({ answer: undefined, problem: undefined })
  const question = useRef({ input, isUnderWay: false, isStale: false, isGone: false }).current
  question.input = input
  const ask = async (): Promise<void> => {
    question.isStale = question.isUnderWay
    if (question.isUnderWay) return
    question.isUnderWay = true
    const tag = account.value.account
    const next = await invoke(name, question.input).then(
      (answer) => () => ({ answer, problem: undefined }),
      (problem: ApiError) => (before: Asked<ActionOutput<N>>) => ({ ...before, problem }),
    )
    question.isUnderWay = false
    if (question.isGone) return
    if (tag === account.value.account) setAsked(next)
    if (question.isStale) void ask()
  }
  useEffect(() => void ask(), [account.value.account, ...dependencies])
  useEffect(
    () => () => {
      question.isGone = true
    },
    [],
  )
  return asked
}
