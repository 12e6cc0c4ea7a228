import type { MediaRef } from '../../core/media/mention.js'
import type { MediaInput } from '../../core/media/spec.js'
import type { DecisionContext } from '../../core/world.js'

/** A mentioned medium as something to be drawn; without bytes where it was not read. */
export const inputOf = ({ url, wants }: MediaRef, label: string, world: DecisionContext): MediaInput => {
  const found = world.found(url)
  return {
    kind: found?.state === 'read' ? found.facts.kind : wants,
    blob: found?.state === 'read' ? found.blob : null,
    label: found?.state === 'read' || found?.state === 'unseen' ? `${label} ${found.origin}` : label,
  }
}
