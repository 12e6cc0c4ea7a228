import type { Settings } from '../../core/settings.js'

/**
 * What absolute URLs begin with under the configured public URL, written as clients write it when they send such a URL
 * back: small letters in the host, no port that the scheme implies, no slash at the end. Undefined where none is set.
 */
export const publicBaseOf = ({ publicUrl }: Pick<Settings, 'publicUrl'>): string | undefined => {
  if (publicUrl === undefined) return undefined
  const { origin, pathname } = new URL(publicUrl)
  return origin + pathname.replace(/\/+$/, '')
}
