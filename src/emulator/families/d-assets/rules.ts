import type { Rule } from '../../core/contract.js'
import { counted } from '../../core/count-words.js'
import type { RefusalDetails } from '../../core/model/call.js'
import { charactersIn, mustBe } from '../../core/request.js'
import { quotaRefusal } from '../../core/task/refusals.js'
import { accountHasAgreed } from '../shared/rules.js'
import type { AssetError } from './errors.js'
import type { AssetBounds } from './facts.js'
import { kindOf, maxBytes, type Upload } from './schema.js'

type UploadRule = Rule<Upload, AssetError>

const nameIsShort = ({ characters }: AssetBounds['name-length']): UploadRule => ({
  id: 'name-length',
  says: `The name of the file has at most ${characters} characters.`,
  place: 'docs/gaps.md#d7',
  check: ({ file: { name } }) => {
    const count = charactersIn(name)
    if (count <= characters) return undefined
    return mustBe('file name', `at most ${characters} characters long`, count)
  },
})

const nameIsBare: UploadRule = {
  id: 'name-is-bare',
  says: 'The name of the file, without its folders, is a name and holds no control character.',
  place: 'docs/gaps.md#n24',
  check: ({ file: { name } }) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u001f\u007f]/.test(name) || ['', '.', '..'].includes(name)
      ? mustBe('file name', 'a name other than . and .., without control characters', name)
      : undefined,
}

const FORMATS =
  'an image (JPEG, PNG, WebP, BMP, TIFF, GIF, HEIC), a video (MP4, MOV) or a sound (WAV, MP3), by its content'

const typeIsTaken: UploadRule = {
  id: 'file-type',
  says: 'The file is a JPEG, PNG, WebP, BMP, TIFF, GIF, HEIC, MP4, MOV, WAV or MP3, by its content.',
  place: 'docs/gaps.md#d7',
  check: ({ file }) => {
    const { format, probe } = file
    if (probe.kind === 'unreadable' && probe.reason === 'unknown') return unusable(probe.detail)
    return kindOf(file) === undefined ? unusable(`the file is of the format ${format}`) : undefined
  },
}

const unusable = (detail: string): RefusalDetails => {
  const message = `file must be ${FORMATS}; ${detail}`
  return { field: 'file', found: detail, allowed: FORMATS, message }
}

const fileIsSmall: UploadRule = {
  id: 'file-bytes',
  says: 'The file has at most 30 MB (image), 50 MB (video) or 15 MB (sound).',
  place: 'docs/gaps.md#d7, docs/gaps.md#z7',
  check: ({ file }, { settings }) => {
    const kind = kindOf(file)
    if (kind === undefined) return undefined
    const { bytes, setting } = maxBytes(kind, settings)
    const allowed = `at most ${bytes} bytes for ${kind} files (setting ${setting})`
    return file.bytes <= bytes ? undefined : mustBe('file', allowed, file.bytes)
  },
}

const groupIsKnown: UploadRule = {
  id: 'group-is-known',
  says: '`group_id` is one of the setting groups, where it names any.',
  place: 'docs/gaps.md#d2',
  check: ({ groupId }, { settings: { groups } }) =>
    groupId === undefined || groups.length === 0 || groups.includes(groupId)
      ? undefined
      : mustBe('group_id', `one of the groups ${groups.join(', ')} (setting groups)`, groupId),
}

const assetsAreFew: UploadRule = {
  id: 'assets-most',
  says: 'The account has fewer assets than the setting maxAssets.',
  place: 'docs/families/d-assets.md',
  check: (_, { account: { assets }, settings: { maxAssets } }) => {
    const found = assets.size
    if (found < maxAssets) return undefined
    const allowed = `at most ${maxAssets} assets (setting maxAssets)`
    const message = `the account has ${counted(found, 'asset')}, and the setting maxAssets is ${maxAssets}`
    return { error: 'QuotaExceeded', bound: 'assets-per-account', found, allowed, message }
  },
}

const assetsAreSmall: UploadRule = {
  id: 'assets-bytes',
  says: 'The assets of the account have at most the bytes of the setting assetTotalBytes, this one included.',
  place: 'docs/families/d-assets.md',
  check: ({ file }, { account: { assets }, settings: { assetTotalBytes } }) => {
    const total = [...assets.values()].reduce((sum, { bytes }) => sum + bytes, file.bytes)
    if (total <= assetTotalBytes) return undefined
    const allowed = `at most ${assetTotalBytes} bytes in all (setting assetTotalBytes)`
    const message = `the assets of the account would have ${total} bytes, and the setting assetTotalBytes is ${assetTotalBytes}`
    return { error: 'QuotaExceeded', bound: 'asset-bytes-per-account', found: total, allowed, message }
  },
}

const assetsHaveRoom: UploadRule = {
  id: 'room-for-asset',
  says: 'All accounts together have fewer assets than the setting assetsInAll.',
  place: 'docs/operations.md',
  check: (_, { quotaExceeded }) => {
    const exceeded = quotaExceeded?.('asset')
    return exceeded && { ...quotaRefusal(exceeded), error: 'QuotaExceeded' }
  },
}

/** Rules on uploads, in the order in which they are checked (gap D2, D7, X5). There is no balance to have (D8). */
export const rulesOf = (bounds: AssetBounds): readonly UploadRule[] => [
  accountHasAgreed('AgreementNotAccepted'),
  nameIsShort(bounds['name-length']),
  nameIsBare,
  typeIsTaken,
  fileIsSmall,
  groupIsKnown,
  assetsAreFew,
  assetsAreSmall,
  assetsHaveRoom,
]
