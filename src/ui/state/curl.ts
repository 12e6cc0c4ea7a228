import { headerLines } from './draft.js'

/** What a command of curl would send. */
interface CurlCall {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Empty: no body, or a form. */
  readonly body: string
  /** Fields of a form, those of files without a value, or undefined where no form. */
  readonly form?: Readonly<Record<string, string>>
}

/** Options that take no value; any other takes one. */
const FLAGS =
  /^(--(compressed|fail|fail-with-body|globoff|http\d.*|include|insecure|ipv4|ipv6|location|no-.*|silent|show-error|verbose)|-[sSLgkivfN#046]+)$/

/**
 * Parses a command of curl for a POSIX shell.
 * @throws Error with a sentence where the text is no such command
 */
export const parseCurl = (command: string): CurlCall => {
  const [program, ...words] = shellWords(command.trim())
  if (program !== 'curl') throw new Error('The text does not begin with curl.')
  const call = { method: '', url: '', headers: [] as [string, string][], body: [] as string[] }
  const form: Record<string, string> = {}
  let isGet = false
  const addData = (value: string) => {
    if (value.startsWith('@'))
      throw new Error(`The body is in the file ${value.slice(1)}, which a page cannot read.`)
    call.body.push(value)
  }
  const addPart = (value: string) => {
    const [name = '', ...rest] = value.split('=')
    const text = rest.join('=')
    form[name] = text.startsWith('@') ? '' : text
  }
  const options: Readonly<Record<string, (value: string) => unknown>> = {
    '-X': (value) => (call.method = value),
    '-H': (value) =>
      call.headers.push(...headerLines(value).map(([name, text]): [string, string] => [name, text])),
    '-d': addData,
    '--data-raw': (value) => call.body.push(value),
    '--json': (value) => {
      addData(value)
      call.headers.push(['Content-Type', 'application/json'])
    },
    '-F': addPart,
    '--form-string': addPart,
    '--url': (value) => (call.url = value),
  }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string
    if (word === '-I' || word === '--head') call.method = 'HEAD'
    else if (word === '-G' || word === '--get') isGet = true
    else if (FLAGS.test(word)) continue
    else if (!word.startsWith('-')) call.url = word
    else {
      // A short option may have its value in the same word: -XPOST.
      const isJoined = /^-[A-Za-z]./.test(word)
      const [name, joined] = isJoined
        ? [word.slice(0, 2), word.slice(2)]
        : (word.split(/=(.*)/s) as [string, string?])
      const value = joined ?? words[++at] ?? ''
      options[LONG[name] ?? name]?.(value)
    }
  }
  return callOf(call, form, isGet)
}

const LONG: Readonly<Record<string, string>> = {
  '--request': '-X',
  '--header': '-H',
  '--data': '-d',
  '--data-ascii': '-d',
  '--data-binary': '-d',
  '--form': '-F',
}

interface Parsed {
  readonly method: string
  readonly url: string
  readonly headers: readonly [string, string][]
  readonly body: readonly string[]
}

const callOf = (
  { method, url, headers, body }: Parsed,
  form: Record<string, string>,
  isGet: boolean,
): CurlCall => {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`
  if (url === '' || !URL.canParse(whole)) throw new Error('The command has no URL.')
  const { pathname, searchParams } = new URL(whole)
  if (isGet) for (const [name, value] of new URLSearchParams(body.join('&'))) searchParams.set(name, value)
  const isForm = Object.keys(form).length > 0
  const usual = (body.length > 0 && !isGet) || isForm ? 'POST' : 'GET'
  return {
    method: (method || usual).toUpperCase(),
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers,
    body: isGet ? '' : body.join('&'),
    ...(isForm ? { form } : {}),
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** Words of a command line, without quotes. @throws Error where a quote is open at the end */
const shellWords = (text: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  let rest = text
  while (rest !== '') {
    const [part = '', space, single, double, ansi, escaped, plain] =
      /^(?:((?:\\\r?\n|\s)+)|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\$'((?:\\[\s\S]|[^'\\])*)'|\\([\s\S])|([^\s'"\\$]+|\$))/.exec(
        rest,
      ) ?? []
    if (part === '') throw new Error('A quote of the command is not closed.')
    rest = rest.slice(part.length)
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      const unescaped = ansi?.replace(/\\u([\da-f]{4})|\\([\s\S])/gi, (_, code?: string, char = '') =>
        code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
      )
      const quoted = double?.replace(/\\(?:\r?\n)|\\(["\\$`])/g, '$1')
      word = (word ?? '') + (single ?? quoted ?? unescaped ?? escaped ?? plain ?? '')
    }
  }
  return word === undefined ? words : [...words, word]
}
