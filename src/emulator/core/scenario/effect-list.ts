// Everything that a step can do: a line for the effects of a part, or for one that has a file of its own.
export { accountEffects, clockEffects } from './effects/account.js'
export { answerEffects } from './effects/answer.js'
export { assetEffects } from './effects/asset.js'
export { callbackEffects } from './effects/callback.js'
export { answerFields, callbackFields } from './effects/fields.js'
export { resultEffects } from './effects/result.js'
export { taskEffects } from './effects/task.js'
export { transportEffects } from './effects/transport.js'
