import { signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 760px)')

const widthNow = (): number => (narrow.matches ? 104 : 216)

/** Width of the labels left of the bars of the timeline, in pixels. */
export const labelWidth = signal(widthNow())

narrow.addEventListener('change', () => {
  labelWidth.value = widthNow()
})
