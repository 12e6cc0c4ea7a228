import type { ComponentChildren } from 'preact'
import { attempt, say } from '../app.js'
import { Button } from './button.js'

/** Copies a text to the clipboard and says so. */
export const copyText = (text: string, what: string): void =>
  attempt(async () => {
    await writeClipboard(text)
    say(`Copied ${what}.`)
  })

// Pages of another machine have no clipboard interface unless they come over HTTPS.
const writeClipboard = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('This browser did not let the page copy. Select the text and copy it.')
}

/** A value that a click copies. */
export const CopyValue = ({ value, children }: { value: string; children?: ComponentChildren }) => (
  <button type="button" class="value" title={`Copy ${value}`} onClick={() => copyText(value, value)}>
    {children ?? value}
  </button>
)

export interface CopyChoice {
  readonly label: string
  /** The text; may ask the server. */
  readonly make: () => string | Promise<string>
}

/** Menu of texts to copy. */
export const CopyMenu = ({ choices }: { choices: readonly CopyChoice[] }) => (
  <div class="copy-menu">
    <span class="quiet">Copy as</span>
    {choices.map(({ label, make }) => (
      <Button key={label} class="plain" act={async () => copyText(await make(), label)}>
        {label}
      </Button>
    ))}
  </div>
)
