import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearestRatio, type Ratio, ratios } from '../../../../src/emulator/families/shared/ratios.js'
import { formOf } from '../../../../src/emulator/families/shared/rules.js'
import {
  modeOf,
  type RequestMedium,
  type Role,
  wholeNumber,
  withRoles,
} from '../../../../src/emulator/families/shared/schema.js'

describe('fields', () => {
  const schema = wholeNumber(1, 6)

  test.each([1, 6, 3.0])('%d is within 1 to 6', (value) => expect(schema.safeParse(value).success).toBe(true))

  test.each([0, 7, 1.5, '3', null, true, Number.NaN, Number.POSITIVE_INFINITY, 1e300, [], {}])(
    '%j is not, and the refusal names both bounds',
    (value) => expect(schema.safeParse(value).error?.issues[0]?.message).toBe('an integer from 1 to 6'),
  )
})

describe('media', () => {
  describe('media refs', () => {
    describe('roles', () => {
      type NamedMedium = Omit<RequestMedium, 'role'>
      const medium = (wants: RequestMedium['wants'], namedRole?: Role): NamedMedium => ({
        wants,
        namedRole,
        url: 'x',
        item: 'i',
        roleField: 'r',
        field: 'f',
      })

      test.each<[string, NamedMedium[], (Role | undefined)[]]>([
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
      ])('%s', (_, media, roles) => expect(withRoles(media).map(({ role }) => role)).toEqual(roles))

      test.each<[ReturnType<typeof modeOf>, NamedMedium[]]>([
        ['text', []],
        ['first-frame', [medium('image')]],
        ['first-last-frame', [medium('image', 'first_frame'), medium('image', 'last_frame')]],
        ['reference', [medium('image', 'reference_image')]],
        ['reference', [medium('video')]],
      ])('the mode %s', (mode, media) => expect(modeOf(withRoles(media))).toBe(mode))
    })

    describe('media form', () => {
      test.each([
        ['http://a.test', 'url'],
        ['https://a.test/b.png?c=d#e', 'url'],
        ['HTTPS://A.TEST', 'url'],
        ['http://127.0.0.1:4650/x', 'url'],
        ['http://[::1]:4650/x', 'url'],
        ['data:image/png;base64,AAAA', 'base64'],
        ['DATA:IMAGE/PNG;BASE64,AAAA', 'base64'],
        ['data:;base64,', 'base64'],
        ['data:image/png;charset=utf-8;base64,AAAA', 'base64'],
        ['asset://asset-1', 'asset'],
        ['asset://x', 'asset'],
      ])('%s is of the form %s', (url, form) => expect(formOf(url)).toBe(form))

      test.each([
        '',
        'a.png',
        '//a.test',
        'ftp://a.test',
        'http://',
        'http:///x',
        'http:\\\\x',
        ' http://a.test',
        'http://a.test ',
        'http://a.test\n',
        'http://a.test/b\nc.png',
        'http://a.test/b\r\nc.png',
        'http://a.test/b\tc.png',
        'http://[',
        'asset://',
        'asset:x',
        'data:,x',
        'data:image/png;base64',
        'javascript:1',
      ])('%j has no form', (url) => expect(formOf(url)).toBeUndefined())

      test('a reference in the form of a URL can be parsed as a URL', () => {
        fc.assert(
          fc.property(fc.string(), (rest) => {
            const url = `http://${rest}`
            if (formOf(url) === 'url') expect(URL.canParse(url)).toBe(true)
          }),
        )
      })
    })
  })

  describe('media params', () => {
    test.each<[Ratio, number, number]>([
      ['21:9', 21, 9],
      ['16:9', 16, 9],
      ['4:3', 4, 3],
      ['1:1', 1, 1],
      ['3:4', 3, 4],
      ['9:16', 9, 16],
    ])('%s is nearest to itself', (ratio, width, height) =>
      expect(nearestRatio({ width: width * 100, height: height * 100 })).toBe(ratio),
    )

    test('every listed ratio is the nearest of some picture', () => {
      const nearest = Array.from({ length: 400 }, (_, index) =>
        nearestRatio({ width: 100 + index * 10, height: 1_000 }),
      )
      expect(new Set(nearest)).toEqual(new Set(ratios))
    })

    test('a picture on its side has the nearest ratio on its side, where there is one', () => {
      const onItsSide: Partial<Record<Ratio, Ratio>> = { '16:9': '9:16', '4:3': '3:4', '1:1': '1:1' }
      const side = fc.integer({ min: 300, max: 600 })
      fc.assert(
        fc.property(side, side, (one, other) => {
          const [width, height] = [Math.max(one, other), Math.min(one, other)]
          const upright = onItsSide[nearestRatio({ width, height })]
          if (upright !== undefined) expect(nearestRatio({ width: height, height: width })).toBe(upright)
        }),
      )
    })
  })
})
