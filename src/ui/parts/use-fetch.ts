import { useEffect, useRef, useState } from 'preact/hooks'
import { account, invoke, live } from '../app.js'
import type { ActionInput, ActionName, ActionOutput, ApiError } from '../state/api.js'

/** Output of a control action, or why there is none. Both undefined: it has not come yet. */
interface Fetched<T> {
  readonly data: T | undefined
  readonly error: ApiError | undefined
}

/**
 * Hook: the output of a control action for the account that is shown, fetched again when a dependency changes. One request is
 * pending at a time, so that dependencies that change quicker than answers come delay none; the latest data stay until the
 * next ones have come. What failed is fetched again when the page has connected again.
 */
export const useFetch = <N extends ActionName>(
  name: N,
  input: ActionInput<N>,
  dependencies: readonly unknown[],
): Fetched<ActionOutput<N>> => {
  const [fetched, setFetched] = useState<Fetched<ActionOutput<N>>>({ data: undefined, error: undefined })
  const current = useRef({ input, isPending: false, isStale: false }).current
  current.input = input
  const fetchLatest = async (): Promise<void> => {
    current.isStale = current.isPending
    if (current.isPending) return
    current.isPending = true
    const { tag } = account.value
    const next = await invoke(name, current.input).then(
      (data) => () => ({ data, error: undefined }),
      (error: ApiError) => (before: Fetched<ActionOutput<N>>) => ({ ...before, error }),
    )
    current.isPending = false
    if (tag === account.value.tag) setFetched(next)
    if (current.isStale) void fetchLatest()
  }
  useEffect(() => void fetchLatest(), [account.value.tag, ...dependencies])
  const isConnected = live.value.status === 'live'
  useEffect(() => void (isConnected && fetched.error !== undefined && fetchLatest()), [isConnected])
  return fetched
}
