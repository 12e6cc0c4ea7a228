import { useRef, useState } from 'preact/hooks'
import { invoke, showNotice } from '../app.js'
import { Button } from '../parts/button.js'
import { Section } from '../parts/layout.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { useFetch } from '../parts/use-fetch.js'
import { storedSignal } from '../signals.js'
import { completionsAt, indentBelow } from '../state/completion.js'

const EXAMPLE = `name: mine
description: The second create fails, and then all is well.
steps:
  - when: { operation: b-video-task.create, nth: 2 }
    then: { answer: { error: ServerOverloaded } }
`

/** The text that is being written. It outlives the view, and a reload of the page. */
const text = storedSignal('backlot-scenario', EXAMPLE)

const FIELD_ID = 'scenario-text'

const fieldOnPage = () => document.getElementById(FIELD_ID) as HTMLTextAreaElement

const select = (from: number, to: number): void => {
  fieldOnPage().focus()
  fieldOnPage().setSelectionRange(from, to)
}

/** Replaces a part of the text as if it were typed, which the browser can undo. */
const insert = (latest: string, from: number, to: number): void => {
  select(from, to)
  document.execCommand('insertText', false, latest)
}

/** Puts a text into the editor. */
export const editScenario = (latest: string): void => {
  insert(latest, 0, text.value.length)
  showNotice('The editor has another text.', 'Undo in it (Ctrl Z) brings back the one before.')
}

/** Editor of a scenario of one's own: it completes words, and checks as `backlot check` does. */
export const ScenarioEditor = () => {
  const [caret, setCaret] = useState(0)
  useShortcuts([{ keys: 'Ctrl Space', label: 'in the editor: complete a word', run: () => false }])
  const { data: checked, error } = useFetch('scenarios.check', { text: text.value }, [text.value])
  const { data: words } = useFetch('scenarios.words', {}, [])
  const { from, options } =
    words === undefined ? { from: 0, options: [] } : completionsAt(text.value, caret, words)

  const readCaret = () => setCaret(fieldOnPage().selectionStart)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const choosing = chosen === undefined || options.length === 0 ? undefined : chosen % options.length
  const complete = (word: string) => {
    setChosen(undefined)
    insert(word, from, caret)
  }
  const moveChoice = (by: number) => setChosen(((choosing ?? 0) + by + options.length) % options.length)
  const takeChoice = () => complete(options[choosing ?? 0]?.text ?? '')
  const whileChoosing: Readonly<Record<string, () => void>> = {
    ArrowDown: () => moveChoice(1),
    ArrowUp: () => moveChoice(-1),
    Tab: takeChoice,
    Enter: takeChoice,
    Escape: () => setChosen(undefined),
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey } = event
    const choose = choosing === undefined ? undefined : whileChoosing[key]
    const isPlain = !ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (choose !== undefined) choose()
    else if (ctrlKey && key === ' ' && options.length > 0) options.length === 1 ? takeChoice() : setChosen(0)
    else if (key === 'Enter' && isPlain) {
      const { selectionStart, selectionEnd } = fieldOnPage()
      insert(`\n${indentBelow(text.value, selectionStart)}`, selectionStart, selectionEnd)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const goTo = (line: number, column: number) => {
    const linesAbove = text.value.split('\n').slice(0, line - 1)
    const offset = linesAbove.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
    select(offset, offset)
    readCaret()
  }
  const problems = checked?.problems ?? []
  const isValid = checked !== undefined && problems.length === 0
  return (
    <Section
      title="Write one"
      aside={
        <Button class="plain" onClick={() => editScenario(EXAMPLE)}>
          Begin anew
        </Button>
      }
    >
      <NumberedField
        wrongLines={problems.map(({ line }) => line)}
        onCaret={readCaret}
        onKeyDown={(event) => onKeyDown(event)}
      />
      <div class="completions" aria-live="polite">
        {options.map(({ text: word, detail }, index) => (
          <Button
            key={`${word} ${detail}`}
            class="value"
            title={detail}
            isPressed={choosing === index}
            onClick={() => complete(word)}
          >
            {word} <span class="quiet">{/^\d{3} /.test(detail) ? detail.slice(0, 3) : ''}</span>
          </Button>
        ))}
        {options.length > 0 && (
          <span class="quiet">
            {choosing === undefined ? (
              <>
                <kbd>Ctrl Space</kbd> completes
              </>
            ) : (
              <>
                <kbd>↓</kbd> <kbd>↑</kbd> choose, <kbd>Tab</kbd> or <kbd>Enter</kbd> take, <kbd>Esc</kbd> ends
              </>
            )}
          </span>
        )}
      </div>
      <div role="status" class="problems">
        {error !== undefined && <p class="problem">{error.message}</p>}
        {problems.map(({ line, column, message }) => (
          <p key={`${line}:${column} ${message}`} class="problem">
            <Button class="value" onClick={() => goTo(line, column)}>{`${line}:${column}`}</Button> {message}.
          </p>
        ))}
        {isValid && error === undefined && <p class="quiet">✓ It can be played.</p>}
      </div>
      <Button
        isDisabled={!isValid}
        onClick={async () => {
          const { document, problems: latest } = await invoke('scenarios.check', { text: text.value })
          if (document === null) throw new Error(latest.map(({ message }) => message).join('; '))
          const { items } = await invoke('scenario.play', document as never)
          showNotice(`${items[0]?.name} plays from now on.`)
        }}
      >
        Play it
      </Button>
    </Section>
  )
}

interface NumberedFieldProps {
  /** Lines with a problem, from 1. */
  readonly wrongLines: readonly number[]
  readonly onCaret: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The text with the numbers of its lines, which scroll with it. */
const NumberedField = ({ wrongLines, onCaret, onKeyDown }: NumberedFieldProps) => {
  const numbers = useRef<HTMLDivElement>(null)
  const lines = text.value.split('\n').length
  return (
    <div class="numbered">
      <div ref={numbers} class="line-numbers" aria-hidden="true">
        {Array.from({ length: lines }, (_, index) => (
          <div key={index} class={wrongLines.includes(index + 1) ? 'problem' : ''}>
            {index + 1}
          </div>
        ))}
      </div>
      <textarea
        id={FIELD_ID}
        class="code"
        aria-label="Scenario, YAML"
        aria-invalid={wrongLines.length > 0}
        rows={Math.min(36, Math.max(16, lines + 1))}
        spellcheck={false}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          onCaret()
        }}
        onSelect={onCaret}
        onClick={onCaret}
        onKeyUp={onCaret}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => numbers.current?.scrollTo({ top: currentTarget.scrollTop })}
      />
    </div>
  )
}
