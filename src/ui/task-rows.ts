import { computed } from '@preact/signals'
import { account } from './app.js'
import { timelineRows } from './state/timeline-rows.js'

/** The rows of the timeline, of everything that the page knows of the account. */
export const allRows = computed(() => timelineRows(account.value))

/**
 * Has the rows built as their tasks arrive, also beside another view: thousands at once would hold up the click that opens the
 * timeline.
 */
export const keepRows = (): void => void allRows.subscribe(() => undefined)
