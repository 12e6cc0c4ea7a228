/** Verdict: the kinds of findings, by their names. Loads no schema. */
export { type Finding, type FindingKind, findingKinds, MATCHER_AGENT } from '../core/verdict/kinds.js'
