import { familyLetter } from '../state/timeline-rows.js'

/** Letter of a family in the hue of the family: `B` of `b-video-task`, or of `B`. */
export const Family = ({ family }: { family: string }) => {
  const letter = familyLetter(family)
  return (
    <span class="family" data-family={letter}>
      {letter}
    </span>
  )
}
