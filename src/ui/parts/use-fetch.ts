import { useEffect, useRef, useState } from 'preact/hooks'
import { account, invoke, live } from '../app.js'
import type { ActionInput, ActionName, ActionOutput, ApiError } from '../state/api.js'

/** Output of a control action, or why there is none. Both undefined: it has not come yet. */
interface Fetched<N extends ActionName> {
  readonly data: ActionOutput<N> | undefined
  readonly error: ApiError | undefined
  /** The input that `data` is of. */
  readonly input: ActionInput<N> | undefined
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
): Fetched<N> => {
  const [fetched, setFetched] = useState<Fetched<N>>({ data: undefined, error: undefined, input: undefined })
  const current = useRef({ input, isPending: false, isStale: false }).current
  current.input = input
  const fetchLatest = async (): Promise<void> => {
    current.isStale = current.isPending
    if (current.isPending) return
    current.isPending = true
    const { tag } = account.value
    const sent = current.input
    const next = await invoke(name, sent).then(
      (data) => () => ({ data, error: undefined, input: sent }),
      (error: ApiError) => (before: Fetched<N>) => ({ ...before, error }),
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
