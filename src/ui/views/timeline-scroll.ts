import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { account, accountNow, route } from '../app.js'
import type { TimelineRow } from '../state/timeline-rows.js'
import { barsWidth, fitOnOpening, labelWidth, rows, scale, scrollTarget } from './timeline-scale.js'

/** The now-line is kept so far from the right edge, in pixels. */
const NOW_MARGIN = 80
/** What is scrolled to stands so far right of the labels, in pixels. */
const LEFT_MARGIN = 24

/**
 * Hook: where the timeline is scrolled to. It fits the rows in sight once they are read, keeps the now-line in sight as it moves,
 * unless a person has scrolled away from it, and scrolls to the bar of a task that is opened where none of it is in sight.
 * @returns a function that scrolls to a row
 */
export const useTimelineScroll = (scroller: RefObject<HTMLElement | null>): ((row: TimelineRow) => void) => {
  const isFollowing = useRef(true)
  /** Where this hook has scrolled to. The event of it can come when the chart has grown already, and means nothing. */
  const ownScroll = useRef(-1)
  const { x } = scale.value
  const nowX = x(accountNow())
  // The list has another element each time that it takes the place of the message about no rows.
  const element = scroller.current

  const scrollTo = (left: number): void => {
    if (scroller.current === null) return
    scroller.current.scrollLeft = left
    ownScroll.current = scroller.current.scrollLeft
  }
  /** Whether any of what is between two pixels is in sight. */
  const isInSight = (from: number, to: number): boolean => {
    const { scrollLeft, clientWidth } = scroller.current as HTMLElement
    return to >= scrollLeft + labelWidth.value && from <= scrollLeft + clientWidth
  }
  const show = (from: number, to: number): void => {
    if (scroller.current !== null && !isInSight(from, to))
      scrollTo(to - labelWidth.value - barsWidth.value * 0.6)
  }
  const readFollowing = (): void => {
    const latestX = scale.value.x(accountNow())
    // The event can come when the list is gone.
    if (scroller.current !== null) isFollowing.current = isInSight(latestX, latestX)
  }

  useEffect(() => {
    const list = scroller.current
    const onScrollEnd = (): void => {
      if (list?.scrollLeft !== ownScroll.current) readFollowing()
    }
    list?.addEventListener('scrollend', onScrollEnd)
    return () => list?.removeEventListener('scrollend', onScrollEnd)
  }, [element])

  const isReady = account.value.isLoaded && rows.value.length > 0 && element !== null
  useEffect(() => {
    if (isReady) fitOnOpening()
  }, [isReady])

  useLayoutEffect(() => {
    const target = scrollTarget.value
    if (target === undefined) return
    scrollTarget.value = undefined
    scrollTo(x(target) - labelWidth.value - LEFT_MARGIN)
    readFollowing()
  }, [scrollTarget.value])

  useEffect(() => {
    if (isFollowing.current) show(nowX + NOW_MARGIN, nowX)
  }, [nowX, barsWidth.value, element])

  const opened = rows.value.find(({ id }) => account.value.isLoaded && id === route.value.id)
  useEffect(() => {
    if (opened === undefined) return
    show(x(opened.at), x(opened.phases.at(-1)?.from ?? opened.at))
    readFollowing()
  }, [opened?.id, barsWidth.value, element])

  return (row) => {
    scrollTo(x(row.instants[0] ?? row.at) - labelWidth.value - LEFT_MARGIN)
    readFollowing()
  }
}
