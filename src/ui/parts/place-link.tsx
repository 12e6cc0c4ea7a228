import { useRef, useState } from 'preact/hooks'
import { api } from '../app.js'
import { plainText, sectionOf } from '../state/doc-section.js'
import { Button } from './button.js'
import { Link } from './link.js'

interface PlaceLinksProps {
  readonly place: string
  /** The field that a rule refused, which often has a section of its own. Default: none. */
  readonly field?: string | undefined
}

/** References of a rule into the documentation, as links: a gap to its row, any other to its section. */
export const PlaceLinks = ({ place, field }: PlaceLinksProps) => (
  <>
    {place.split(', ').map((one) => (
      <span key={one} class="also">
        <PlaceLink place={one} field={field} />
      </span>
    ))}
  </>
)

const PlaceLink = ({ place, field }: PlaceLinksProps) => {
  const [, gap] = /^docs\/gaps\.md#(\w+)$/.exec(place) ?? []
  if (gap !== undefined)
    return (
      <Link to={{ view: 'gaps', query: { all: '1', search: gap.toUpperCase() } }}>
        gap {gap.toUpperCase()}
      </Link>
    )
  return /^docs\/[\w/-]+\.md(#|$)/.test(place) ? (
    <DocLink place={place} field={field} />
  ) : (
    <span>{place}</span>
  )
}

/** A section of the documentation, which opens in a dialog. */
const DocLink = ({ place, field = '' }: PlaceLinksProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [path = '', anchor = field.replace(/\W.*$/, '')] = place.split('#')
  const open = async () => {
    const response = await fetch(`${api.origin}/_backlot/ui/${path}`)
    if (!response.ok)
      throw new Error(`The emulator does not have ${path}: it was answered with ${response.status}.`)
    setText(plainText(sectionOf(await response.text(), anchor)))
    dialog.current?.showModal()
  }
  return (
    <>
      <Button class="plain doc-link" onClick={open}>
        {place}
      </Button>
      <dialog ref={dialog} class="doc" aria-label={place}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reachable by keyboard */}
        <pre tabIndex={0}>{text}</pre>
        <form method="dialog" class="buttons">
          <button type="submit">Close</button>
          <a href={`${api.origin}/_backlot/ui/${path}`} target="_blank" rel="noreferrer">
            the whole page
          </a>
        </form>
      </dialog>
    </>
  )
}
