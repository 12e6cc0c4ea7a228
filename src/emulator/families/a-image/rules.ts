import type { DecisionContext, Rule } from '../../core/contract.js'
import type { ImageFacts } from '../../core/media/input.js'
import { expectedButFound, mustBe } from '../../core/request.js'
import {
  mediaAreReadable,
  mediaFormIsAllowed,
  mediaIsOfItsKind,
  promptPassesModeration,
  readableFormats,
  ruleOnFacts,
} from '../shared/rules.js'
import type { ImageError } from './errors.js'
import type { ImageBounds } from './facts.js'
import { type SizeCheck, sizeChecksOf } from './image-size.js'
import { type AnyImageInput, type ImageInput, isEditing } from './schema.js'

type ImageRule = Rule<AnyImageInput, ImageError>

const MIB = 2 ** 20
const formats: readonly string[] = ['jpeg', 'png', 'bmp', 'tiff', 'webp', 'gif']
const FORMATS = 'JPG, JPEG, PNG, BMP, TIFF, WEBP or GIF'

const exactlyOneText: ImageRule = {
  id: 'exactly-one-text',
  says: 'The content holds exactly one text item.',
  place: 'docs/families/a-image.md#content',
  check: ({ texts: { length: count }, contentPath }) => {
    if (count === 1) return undefined
    return expectedButFound(contentPath, 'a list with exactly 1 text item', `${count} text items`)
  },
}

const imagesAreFew = ({ images: max }: ImageBounds['at-most-three-images']): ImageRule => ({
  id: 'at-most-three-images',
  says: `The content holds at most ${max} image items.`,
  place: 'docs/families/a-image.md#content',
  check: ({ mediaRefs: { length: count }, contentPath }) => {
    if (count <= max) return undefined
    return expectedButFound(contentPath, `a list with at most ${max} image items`, `${count} image items`)
  },
})

const agentIsForTextOnly: Rule<ImageInput, ImageError> = {
  id: 'agent-is-for-text-only',
  says: '`prompt_extend_mode` is `agent` in text-to-image alone.',
  place: 'docs/families/a-image.md#prompt_extend_mode',
  check: (input) =>
    input.parameters.prompt_extend_mode === 'agent' && isEditing(input)
      ? mustBe('parameters.prompt_extend_mode', 'direct when the content holds an image', 'agent')
      : undefined,
}

const onSize = (id: string, says: string, check: SizeCheck): ImageRule => ({
  id,
  says,
  place: 'docs/families/a-image.md#size, docs/gaps.md#a4',
  check: ({ parameters: { size } }) => {
    const allowed = size === undefined ? undefined : check(size)
    return allowed === undefined ? undefined : mustBe('parameters.size', allowed, size)
  },
})

const imageFormatIsAllowed = ruleOnFacts<ImageFacts>(
  {
    id: 'image-format',
    says: `Input images are ${FORMATS}, by content.`,
    place: 'docs/families/a-image.md#image, docs/gaps.md#a8',
  },
  'image',
  ({ format }, field) => (formats.includes(format) ? undefined : mustBe(field, FORMATS, format)),
)

const imageIsSmallEnough = ({ megabytes: max }: ImageBounds['image-bytes']) =>
  ruleOnFacts<ImageFacts>(
    {
      id: 'image-bytes',
      says: `An input image has at most ${max} MB.`,
      place: 'docs/families/a-image.md#image, docs/gaps.md#z7',
    },
    'image',
    ({ bytes }, field) =>
      bytes <= max * MIB ? undefined : mustBe(field, `at most ${max} MB (${max * MIB} bytes)`, bytes),
  )

const imagesAreWithinQuota: ImageRule = {
  id: 'images-within-quota',
  says: 'The account has images left, where it has an image quota.',
  place: 'docs/gaps.md#z3',
  check: ({ parameters: { n } }, { account }) => {
    const { limits, imagesMade } = account
    const quota = limits.imageQuota
    if (quota === null || imagesMade + n <= quota) return undefined
    const allowed = `${Math.max(0, quota - imagesMade)} more images`
    const message = `Allocated quota exceeded, insufficient balance: ${imagesMade} of ${quota} images are used and ${n} more were asked for`
    return { error: 'Throttling.AllocationQuota', field: 'parameters.n', found: n, allowed, message }
  },
}

/** Rules that A and A2 share, in the order in which they are checked. */
export const sharedRulesOf = (bounds: ImageBounds): readonly ImageRule[] => {
  const { form, area, ratio } = sizeChecksOf(bounds)
  return [
    exactlyOneText,
    imagesAreFew(bounds['at-most-three-images']),
    onSize('size-format', `\`size\` is ${form.is}.`, form.check),
    onSize('size-area', `The area of \`size\` is ${area.is}.`, area.check),
    onSize('size-ratio', `The aspect ratio of \`size\` is ${ratio.is}.`, ratio.check),
    mediaFormIsAllowed('docs/families/a-image.md#image', () => ['url', 'base64']),
    mediaAreReadable({ ...readableFormats, image: FORMATS }, 'InvalidURL'),
    mediaIsOfItsKind('docs/families/a-image.md#image, docs/gaps.md#a8'),
    imageFormatIsAllowed,
    imageIsSmallEnough(bounds['image-bytes']),
    promptPassesModeration('DataInspectionFailed'),
    imagesAreWithinQuota,
  ]
}

/** Rules of A: its own, and those that it shares with A2. */
export const rulesOf = (bounds: ImageBounds): readonly Rule<ImageInput, ImageError>[] => [
  agentIsForTextOnly,
  ...sharedRulesOf(bounds),
]

const RECOMMENDED = { min: 384, max: 2048 }

/** Sides outside the recommendation are remarked, never refused (gap A8). */
export const warnings = ({ mediaRefs }: AnyImageInput, context: DecisionContext): string[] =>
  mediaRefs.flatMap(({ field, url }) => {
    const medium = context.resolvedMedia(url)
    if (medium?.state !== 'read' || medium.facts.kind !== 'image') return []
    const { width, height } = medium.facts
    const isWithin = [width, height].every((side) => side >= RECOMMENDED.min && side <= RECOMMENDED.max)
    return isWithin ? [] : [`${field} is ${width}x${height}; 384 to 2048 pixels a side are recommended`]
  })
