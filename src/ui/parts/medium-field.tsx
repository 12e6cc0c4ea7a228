import { useEffect, useRef, useState } from 'preact/hooks'
import { account, api, clock, isMoving, lastMove, session, sessionState, showNotice } from '../app.js'
import type { ActionOutput } from '../state/api.js'
import { uploadAsset } from '../state/asset-upload.js'
import { dataUrlOf } from '../state/files.js'
import { formatNumber } from '../state/format.js'
import { DEFAULT_KEY } from '../state/session.js'
import { Button } from './button.js'
import { Choice } from './choice.js'
import { FileButton, FileDrop } from './file-button.js'
import { TextField, type TextFieldProps } from './text-field.js'

export type Fixtures = ActionOutput<'fixtures.list'>['items']

/** Longest data URL that is shown as text. */
const MAX_DATA_URL = 1_000

/** The URL of a medium: as text, or as a local file or a sample medium that is put in. */
export const MediumField = ({ fixtures, ...field }: TextFieldProps & { readonly fixtures: Fixtures }) => {
  const { 'aria-label': name, value, onChange } = field
  const [file, setFile] = useState<File | undefined>(undefined)
  const isData = value.startsWith('data:') && value.length > MAX_DATA_URL
  const fill = (url: string) => {
    setFile(undefined)
    onChange(url)
  }
  return (
    <FileDrop onFile={setFile}>
      <span class="json-text">
        {isData ? <DataUrl url={value} name={name} onRemove={() => fill('')} /> : <TextField {...field} />}
        <span class="buttons">
          <FileButton label={name} onFile={setFile} />
          <Choice
            label={`Sample medium for ${name}`}
            value=""
            options={[['', 'sample medium…'], ...fixtures.map(({ name: fixture }) => fixture)]}
            onChange={(fixture) => fill(`${api.origin}/_backlot/fixtures/${fixture}`)}
          />
        </span>
      </span>
      {file !== undefined && (
        <ChosenFile
          // The library is that of the account.
          key={`${account.value.tag} ${file.name} ${file.size} ${file.lastModified}`}
          file={file}
          onUrl={fill}
          onCancel={() => setFile(undefined)}
        />
      )}
    </FileDrop>
  )
}

interface ChosenFileProps {
  readonly file: File
  /** Called with what the field gets. */
  readonly onUrl: (url: string) => void
  readonly onCancel: () => void
}

/** A local file that was chosen: it becomes a data URL, or an asset of the library, whose upload is followed to its end. */
const ChosenFile = ({ file, onUrl, onCancel }: ChosenFileProps) => {
  const [step, setStep] = useState<'asked' | 'uploading' | 'processing'>('asked')
  const [problem, setProblem] = useState('')
  const isOver = useRef(async () => true)
  const { current: ending } = useRef(new AbortController())
  // The body may have changed by the time at which the file is read, or the asset can be used.
  const fill = useRef(onUrl)
  fill.current = onUrl
  useEffect(() => () => ending.abort(), [])
  const putIn = async () => {
    const url = await dataUrlOf(file)
    if (!ending.signal.aborted) fill.current(url)
  }
  const upload = async () => {
    setStep('uploading')
    setProblem('')
    const onProcessing = (isProcessed: () => Promise<boolean>) => {
      isOver.current = () =>
        isProcessed().catch((error) => {
          if (ending.signal.aborted) return true
          throw error
        })
      setStep('processing')
    }
    try {
      const call = callAsClient(ending.signal)
      const url = await uploadAsset({ call, nextChange: nextAssetChange, onProcessing }, file)
      fill.current(url)
      showNotice(`Uploaded ${file.name}: the field names it as ${url}.`)
    } catch (error) {
      if (ending.signal.aborted) return
      setStep('asked')
      setProblem((error as Error).message)
    }
  }
  return (
    <div class="chosen-file">
      <p role="status">
        {texts[step](file)} {problem !== '' && <span class="problem">{problem}</span>}
      </p>
      <span class="buttons">
        {step === 'asked' && (
          <>
            <Button onClick={putIn}>As a data URL</Button>
            <Button onClick={upload}>Upload to the asset library</Button>
          </>
        )}
        {step === 'processing' && clock.value?.mode !== 'live' && (
          <Button isDisabled={isMoving.value} onClick={() => moveClockUntil(isOver.current, ending.signal)}>
            Move the clock until it can be used
          </Button>
        )}
        <Button class="plain" aria-label={`Cancel ${file.name}`} onClick={onCancel}>
          ✕
        </Button>
      </span>
    </div>
  )
}

const texts: Readonly<Record<'asked' | 'uploading' | 'processing', (file: File) => string>> = {
  asked: ({ name, size }) => `${name}, ${formatNumber(Math.ceil(size / 1024))} KiB:`,
  uploading: ({ name }) => `${name} is being uploaded…`,
  processing: ({ name }) => `${name} is being processed, which takes time on the account's clock…`,
}

/** Calls the service with the key of the account that is shown now, until the signal is aborted. */
const callAsClient = (signal: AbortSignal) => {
  const headers = { authorization: `Bearer ${sessionState.value.account?.key ?? DEFAULT_KEY}` }
  return (path: string, init: RequestInit = {}) => fetch(api.origin + path, { ...init, headers, signal })
}

const nextAssetChange = (): Promise<void> =>
  new Promise((resolve) => {
    const { assetRevision } = account.value
    const stop = account.subscribe((latest) => {
      if (latest.assetRevision === assetRevision) return
      stop()
      resolve()
    })
  })

/** Moves the clock from moment to moment until the job of an upload is over, or its field is gone. */
const moveClockUntil = async (isOver: () => Promise<boolean>, gone: AbortSignal): Promise<void> => {
  // Only a moment of an asset, which may be another one, can be its end.
  const isOfAsset = () => (lastMove.value?.advanced.totals.asset ?? 0) > 0
  do await session.advance({ to: 'next' })
  while (!gone.aborted && !(isOfAsset() && (await isOver())) && clock.value?.next != null)
}

/** A data URL by its type and length, with its picture. */
const DataUrl = ({ url, name, onRemove }: { url: string; name: string; onRemove: () => void }) => {
  const type = url.slice(0, url.indexOf(','))
  return (
    <span class="data-url">
      {type.startsWith('data:image/') && <img src={url} alt={`the file in ${name}`} />}
      <code>
        {type},… ({formatNumber(Math.ceil((url.length * 3) / 4096))} KiB)
      </code>
      <Button class="plain" aria-label={`Remove the file from ${name}`} onClick={onRemove}>
        ✕
      </Button>
    </span>
  )
}
