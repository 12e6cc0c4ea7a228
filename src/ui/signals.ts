import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Observable } from './state/observable.js'

/** Signal of an observable value: the one place where the framework meets the state. */
export const toSignal = <T>(observable: Observable<T>): ReadonlySignal<T> => {
  const current = signal(observable.get())
  observable.subscribe(() => (current.value = observable.get()))
  return current
}

/** Signal of a text that outlives a reload of the page. One for which the browser has no room is not stored. */
export const storedSignal = (key: string, initial: string, storage = sessionStorage): Signal<string> => {
  const text = signal(storage.getItem(key) ?? initial)
  text.subscribe((latest) => {
    try {
      storage.setItem(key, latest)
    } catch {
      storage.removeItem(key)
    }
  })
  return text
}
