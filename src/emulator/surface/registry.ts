/** Registry: what the families declare. Operations, rules, errors and gaps. */

export { rulesOf } from '../control/rules.js'
export { type FamilyDescription, grades, type Operation, type Probe } from '../core/contract.js'
export { resultRules, resultUrls } from '../core/result.js'
export { assetLibrary } from '../families/d-assets/index.js'
export { builtIn, families, familiesFromOutside } from '../families/index.js'
export { errorOfTask, isTaskFamily, type Registry, tasksIn } from '../families/registry.js'
export { createRoutes } from '../service/routes.js'
