import type { StatedRule } from '../../core/task/rule.js'
import { named as namedOf } from '../../core/task/standing-rules.js'

/** A rule as the journal names it. */
export const named = (rule: StatedRule) => namedOf({ id: 'd-assets' }, rule)
