// Everything that a step can do: a line for the effects of a part, or for one that has a file of its own.
export { accountEffects, clockEffects } from './account.js'
export { answerEffects } from './answer.js'
export { assetEffects } from './asset.js'
export { callbackEffects } from './callback.js'
export { resultEffects } from './result.js'
export { taskEffects } from './task.js'
export { transportEffects } from './transport.js'
