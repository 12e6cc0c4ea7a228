import type { ComponentChildren } from 'preact'
import { runAction, showNotice } from '../app.js'
import { Button } from './button.js'

/** Copies a text to the clipboard and says so. */
export const copyText = (text: string, name: string, hint?: string): void =>
  runAction(async () => {
    await writeClipboard(text)
    showNotice(`Copied ${name}.`, hint)
  })

// Pages of another machine have no clipboard interface unless they come over HTTPS.
const writeClipboard = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const focused = document.activeElement as HTMLElement | null
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  focused?.focus()
  if (!isCopied) throw new Error('This browser did not let the page copy. Select the text and copy it.')
}

/** A value that a click copies. */
export const CopyValue = ({ value, children }: { value: string; children?: ComponentChildren }) => (
  <button type="button" class="value" title={`Copy ${value}`} onClick={() => copyText(value, value)}>
    {children ?? value}
  </button>
)

interface CopyFormat {
  readonly label: string
  readonly textOf: () => string | Promise<string>
  /** What its reader has to know of the copy. */
  readonly hint?: string
}

/** Menu of formats to copy something in. */
export const CopyMenu = ({ formats }: { formats: readonly CopyFormat[] }) => (
  <div class="copy-menu">
    <span class="quiet">Copy as</span>
    {formats.map(({ label, textOf, hint }) => (
      <Button key={label} class="plain" onClick={async () => copyText(await textOf(), label, hint)}>
        {label}
      </Button>
    ))}
  </div>
)
