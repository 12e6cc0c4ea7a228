/** Verified facts: what the real service was seen to answer, and the file that keeps it. */
export { NO_VERIFIED_FILE, VERIFIED_FILE } from '../settings.js'
export { answerName, mergedFacts, profileHash } from '../verified/facts.js'
export { readVerified, type VerifiedFact, verifiedText } from '../verified/file.js'
