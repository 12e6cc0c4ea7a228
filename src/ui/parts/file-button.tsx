import type { ComponentChildren } from 'preact'
import { runAction } from '../app.js'

interface FileProps {
  /** Of the field that the file is for. */
  readonly label: string
  readonly onFile: (file: File) => unknown
}

/** Input of a local file, as a button with few letters. */
export const FileButton = ({ label, onFile }: FileProps) => (
  <label class="file-button">
    <input
      type="file"
      class="visually-hidden"
      aria-label={`Local file for ${label}`}
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? []
        if (file !== undefined) runAction(async () => onFile(file))
        // The same file can be chosen again.
        currentTarget.value = ''
      }}
    />
    <span aria-hidden="true">file…</span>
  </label>
)

/** Takes a file that is dropped on what is in it, or pasted there. */
export const FileDrop = ({
  onFile,
  children,
}: Pick<FileProps, 'onFile'> & { children: ComponentChildren }) => {
  const take = (event: Event, data: DataTransfer | null): void => {
    const [file] = data?.files ?? []
    if (file === undefined) return
    event.preventDefault()
    runAction(async () => onFile(file))
  }
  const mark = (event: DragEvent, isOver: boolean): void => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    ;(event.currentTarget as HTMLElement).classList.toggle('drop-here', isOver)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file is also chosen with the button beside the field
    <div
      class="file-drop"
      onDragOver={(event) => mark(event, true)}
      onDragLeave={(event) => mark(event, false)}
      onDrop={(event) => {
        mark(event, false)
        take(event, event.dataTransfer)
      }}
      onPaste={(event) => take(event, event.clipboardData)}
    >
      {children}
    </div>
  )
}
