import { factsOf, type JudgedAccount } from './facts.js'
import type { Judge } from './judge.js'
import { believedCallback, callbackNotAnswered } from './judges-of-callbacks.js'
import { didNotWait, hammered, ignoredFields, polledOn } from './judges-of-calls.js'
import { fetchedTwice, keptDamagedFile, keptOtherFile } from './judges-of-files.js'
import { abandonedTask, neverFetched, orderedTwice } from './judges-of-tasks.js'
import { type Finding, type FindingKind, findingKinds, findingOf } from './kinds.js'

/**
 * Verdict: what the client of an account did that a robust client does not do, the gravest first. Pure: it needs no baseline,
 * and sees only what the journal and the callback log have not evicted.
 */
export const findingsOf = (account: JudgedAccount): Finding[] => {
  const facts = factsOf(account)
  return findingKinds.flatMap((kind) =>
    judges[kind](facts).map(({ message, calls }) => findingOf(kind, message, calls)),
  )
}

const judges: Readonly<Record<FindingKind, Judge>> = {
  'ordered-twice': orderedTwice,
  'kept-damaged-file': keptDamagedFile,
  'kept-other-file': keptOtherFile,
  'believed-callback': believedCallback,
  'abandoned-task': abandonedTask,
  'never-fetched': neverFetched,
  'callback-not-answered': callbackNotAnswered,
  'did-not-wait': didNotWait,
  hammered,
  'polled-on': polledOn,
  'fetched-twice': fetchedTwice,
  'ignored-fields': ignoredFields,
}
