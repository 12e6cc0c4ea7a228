import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { live } from '../app.js'
import { Message } from './layout.js'

/** What was loaded of a view. Both undefined: it is being loaded. */
interface LoadedView {
  readonly view?: ComponentType
  readonly error?: unknown
}

/**
 * Lazy view: its module is loaded when it is opened for the first time. What could not be loaded is tried again when the page has
 * connected again.
 */
export const lazyView = (load: () => Promise<ComponentType>): ComponentType => {
  const loaded = signal<LoadedView>({})
  return () => {
    const { view: View, error } = loaded.value
    const isConnected = live.value.status === 'live'
    useEffect(() => {
      if (loaded.peek().view !== undefined) return
      load().then(
        (view) => (loaded.value = { view }),
        (reason: unknown) => (loaded.value = { error: reason }),
      )
    }, [isConnected])
    if (View !== undefined) return <View />
    if (error === undefined) return <div class="view-loading" aria-busy="true" />
    return (
      <Message
        isError
        text="This view could not be loaded."
        hint="It is tried again once the emulator answers."
      />
    )
  }
}
