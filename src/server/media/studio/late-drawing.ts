import type { createDrawing, DrawingOptions } from './drawing.js'
import type { Render } from './render.js'

type Drawing = ReturnType<typeof createDrawing>

/** What draws, loaded with the first medium: it is a tenth of the whole, and most tests look at none. */
export const createLateDrawing = (options: DrawingOptions): Drawing => {
  let drawing: Drawing | undefined
  const loaded = async (): Promise<Drawing> => {
    const { createDrawing } = await import('./drawing.js')
    drawing ??= createDrawing(options)
    return drawing
  }
  const render: Render = async (spec, signal) => {
    const { render } = await loaded()
    signal.throwIfAborted()
    return render(spec, signal)
  }
  return { render, memoryBytes: () => drawing?.memoryBytes() ?? 0 }
}
