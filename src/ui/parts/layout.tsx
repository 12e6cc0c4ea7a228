import type { ComponentChildren } from 'preact'
import { router } from '../app.js'
import type { ApiError } from '../state/api.js'
import { Button } from './button.js'

interface FactsProps {
  readonly entries: readonly (readonly [name: string, value: ComponentChildren])[]
}

/** List of names and values. Empty values are not shown. */
export const Facts = ({ entries }: FactsProps) => (
  <dl class="facts">
    {entries
      .filter(([, value]) => value || value === 0)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

/** What is open beside a list, with the button that closes it. */
export const Detail = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <aside class="detail" aria-label={label}>
    <Button class="plain close" onClick={() => router.open('')}>
      Close <kbd>Esc</kbd>
    </Button>
    {children}
  </aside>
)

interface SectionProps {
  readonly title: string
  /** Right of the title. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

export const Section = ({ title, aside, children }: SectionProps) => (
  <section class="section">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

/** Head of a table: the names of its columns. */
export const TableHead = ({ names }: { names: readonly string[] }) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name}>{name}</th>
      ))}
    </tr>
  </thead>
)

interface MessageProps {
  readonly text: string
  readonly hint?: string
  readonly isError?: boolean
}

/** A sentence where a list is empty or something went wrong. */
export const Message = ({ text, hint = '', isError = false }: MessageProps) => (
  <div class={isError ? 'message problem' : 'message'} role={isError ? 'alert' : undefined}>
    <p>{text}</p>
    {hint !== '' && <p class="quiet">{hint}</p>}
  </div>
)

/** Why something could not be read; nothing where there is no error. */
export const ErrorMessage = ({ error }: { error: ApiError | undefined }) =>
  error && <Message isError text={error.message} hint={error.hint} />

interface ScrollProps {
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A region that scrolls, which has to be reachable by keyboard. */
export const Scroll = ({ label, class: name = '', children }: ScrollProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: else only a mouse could scroll it
  <section class={`scroll ${name}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)
