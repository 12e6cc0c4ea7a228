import type { AccountHandles } from '../client/handles.js'
import { OTHERS_ARE_CALLED } from '../core/account/account.js'
import type { EmulatorError } from '../core/errors.js'

/** Hint that other accounts were called and this one was not; undefined: it was, or none was. Waits for nothing. */
export const wrongKeyHint = async ({
  requests,
}: Pick<AccountHandles, 'requests'>): Promise<string | undefined> => {
  const wait = requests.waitFor({}, { timeout: 0 })
  const hint = await wait.then(
    () => undefined,
    (error: Partial<EmulatorError>) => error.hint,
  )
  return hint === OTHERS_ARE_CALLED ? hint : undefined
}
