import { type ReadonlySignal, signal } from '@preact/signals'
import type { Observable } from './state/observable.js'

/** Signal of an observable value: the one place where the framework meets the state. */
export const toSignal = <T>(observable: Observable<T>): ReadonlySignal<T> => {
  const current = signal(observable.get())
  observable.subscribe(() => (current.value = observable.get()))
  return current
}
