import { createInputs, type InputsOptions } from './inputs/inputs.js'
import { createRender, type RenderOptions } from './render.js'

export type DrawingOptions = InputsOptions & Omit<RenderOptions, 'inputs'>

/** What draws, with the users' pictures that it keeps in memory. */
export const createDrawing = (options: DrawingOptions) => {
  const inputs = createInputs(options)
  return { render: createRender({ ...options, inputs }), memoryBytes: inputs.memoryBytes }
}
