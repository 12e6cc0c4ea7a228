import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Observable } from './state/observable.js'

/** Signal of an observable value: the one place where the framework meets the state. */
export const toSignal = <T>(observable: Observable<T>): ReadonlySignal<T> => {
  const current = signal(observable.get())
  observable.subscribe(() => (current.value = observable.get()))
  return current
}

/** Signal of a text that outlives a reload of the page. One for which the browser has no room is not stored. */
export const storedSignal = (key: string, initial: string): Signal<string> => {
  const text = signal(sessionStorage.getItem(key) ?? initial)
  text.subscribe((latest) => {
    try {
      sessionStorage.setItem(key, latest)
    } catch {
      sessionStorage.removeItem(key)
    }
  })
  return text
}
