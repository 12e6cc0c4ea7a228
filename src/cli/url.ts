import { usageError } from './failure.js'

/** The URL of an emulator without a slash at its end. @throws EmulatorError `wrong-usage` */
export const urlOf = (url: string): string => {
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url.replace(/\/+$/, '')
  throw usageError(`Expected a URL that begins with http:// or https://, found ${JSON.stringify(url)}.`)
}
