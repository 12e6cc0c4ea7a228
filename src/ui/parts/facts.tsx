import type { ComponentChildren } from 'preact'
import { router } from '../app.js'
import { Button } from './button.js'

/** Name and value pairs. Undefined values are not shown. */
export const Facts = ({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== undefined)
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
    <Button class="plain close" act={() => router.open('')}>
      Close <kbd>Esc</kbd>
    </Button>
    {children}
  </aside>
)

/** A part of a page with a heading. */
export const Section = ({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
}) => (
  <section class="section">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

/** A sentence where a list is empty or something went wrong. */
export const Message = ({
  text,
  hint,
  isError = false,
  children,
}: {
  text: string
  hint?: string | undefined
  isError?: boolean
  children?: ComponentChildren
}) => (
  <div class={isError ? 'message problem' : 'message'} role={isError ? 'alert' : undefined}>
    <p>{text}</p>
    {hint !== undefined && hint !== '' && <p class="quiet">{hint}</p>}
    {children}
  </div>
)

/** A region that scrolls, which has to be reachable by keyboard. */
export const Scroll = ({
  label,
  class: name = '',
  children,
}: {
  label: string
  class?: string
  children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: else only a mouse could scroll it
  <section class={`scroll ${name}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)
