interface LocalFile {
  readonly file: File
  /** Undefined where it is too large for a dry run, whose body has at most 4 MiB. */
  readonly base64: string | undefined
}

/** Local files that were chosen on this page, by their names. They are gone after a reload: a page cannot keep them. */
const files = new Map<string, LocalFile>()

/** Longest text that a dry run is asked about: the control API takes bodies of 4 MiB. */
export const MAX_CHECKED_TEXT = 4 * 2 ** 20 - 64 * 1024
/** The largest file that is put into a body: Base64 is a third longer, and no family takes a body of more than 64 MiB. */
const MAX_BODY_FILE = 45 * 2 ** 20

export const keepFile = async (file: File): Promise<void> => {
  const isSmall = file.size * 1.4 < MAX_CHECKED_TEXT
  const base64 = isSmall ? (await dataUrlOf(file)).replace(/^[^,]*,/, '') : undefined
  files.set(file.name, { file, base64 })
}

/** The local file of a name, or undefined where none was chosen since the page was loaded. */
export const fileNamed = (name: string): LocalFile | undefined => files.get(name)

/** A file as a data URL. @throws Error for one that no body can hold, or that cannot be read */
export const dataUrlOf = (file: File): Promise<string> => {
  if (file.size > MAX_BODY_FILE)
    throw new Error(`${file.name} has more than 45 MiB, which no body takes. Upload it, or give its URL.`)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(`${file.name} cannot be read: ${reader.error?.message}`))
    reader.readAsDataURL(file)
  })
}
