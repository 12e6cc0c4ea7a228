import { expect, test } from 'vitest'
import {
  assignRoles,
  type Mode,
  mediaWithRoles,
  modeOf,
  type RequestMedium,
  type Role,
} from '../../../src/families/shared/roles.js'

const medium = (kind: RequestMedium['kind'], role?: Role): RequestMedium => ({
  kind,
  role,
  url: 'x',
  item: 'i',
  roleField: 'r',
  field: 'f',
})

test.each<[string, RequestMedium[], (Role | undefined)[]]>([
  ['the only image is the first frame', [medium('image')], ['first_frame']],
  ['also beside a video', [medium('image'), medium('video')], ['first_frame', 'reference_video']],
  [
    'one of two images stays without',
    [medium('image'), medium('image', 'last_frame')],
    [undefined, 'last_frame'],
  ],
  [
    'video and audio are references',
    [medium('video'), medium('audio')],
    ['reference_video', 'reference_audio'],
  ],
  ['a role that was named stays', [medium('image', 'reference_image')], ['reference_image']],
])('%s', (_, media, roles) => expect(assignRoles(media).map(({ role }) => role)).toEqual(roles))

test('media that stay without a role are left out of the cast', () =>
  expect(mediaWithRoles([medium('image'), medium('image')])).toEqual([]))

test.each<[Mode, RequestMedium[]]>([
  ['text', []],
  ['first-frame', [medium('image')]],
  ['first-last-frame', [medium('image', 'first_frame'), medium('image', 'last_frame')]],
  ['reference', [medium('image', 'reference_image')]],
  ['reference', [medium('video')]],
])('the mode %s', (mode, media) => expect(modeOf(media)).toBe(mode))
