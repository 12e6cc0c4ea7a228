import { describe, expect, test } from 'vitest'
import type {
  AudioFacts,
  ImageFacts,
  ResolvedMedia,
  VideoFacts,
} from '../../../../src/emulator/core/media/input.js'
import { readMovie } from '../../../../src/emulator/core/media/readers/movie.js'
import { movieFile } from '../../core/media/readers/movie-file.js'
import { audio, contextWith, image, refused, unseen, video } from '../context.js'
import { answer, clip, picture, request, sound, text, url } from './request.js'

describe('media limits', () => {
  const MB = 2 ** 20
  const URL = 'https://media.test/1'

  /** Asks for a video with the media given, each behind an address of its own. */
  const asking = (media: readonly [make: typeof picture, role: string, found: ResolvedMedia][]) => {
    const content = [text(), ...media.map(([make, role], index) => make(`${URL}/${index}`, role))]
    const found = Object.fromEntries(media.map(([, , one], index) => [`${URL}/${index}`, one]))
    return answer(request({ content }), contextWith({ resolvedMedia: found }))
  }

  const withFrame = (facts: Partial<ImageFacts>) => asking([[picture, 'first_frame', image(facts)]])
  const withImage = (facts: Partial<ImageFacts>) => asking([[picture, 'reference_image', image(facts)]])
  const withVideo = (facts: Partial<VideoFacts>) => asking([[clip, 'reference_video', video(facts)]])
  const withAudio = (facts: Partial<AudioFacts>) =>
    asking([
      [picture, 'reference_image', image()],
      [sound, 'reference_audio', audio(facts)],
    ])

  const seconds = (kind: 'video' | 'audio', lengths: readonly number[]) =>
    asking([
      [picture, 'reference_image', image()],
      ...lengths.map((length): [typeof picture, string, ResolvedMedia] =>
        kind === 'video'
          ? [clip, 'reference_video', video({ seconds: length })]
          : [sound, 'reference_audio', audio({ seconds: length })],
      ),
    ])

  /** The rule that answers; undefined where the request is accepted. */
  const ruleOf = ({ status, rules }: ReturnType<typeof answer>): string | undefined => {
    expect(status).toBe(rules.length === 0 ? 200 : 400)
    return rules[0]?.replace('f-video-v2.', '')
  }

  const pictures: [string, Partial<ImageFacts>, string | undefined][] = [
    ['JPEG', { format: 'jpeg' }, undefined],
    ['PNG', { format: 'png' }, undefined],
    ['WEBP', { format: 'webp' }, undefined],
    ['HEIC', { format: 'heic' }, undefined],
    ['HEIF', { format: 'heif' }, undefined],
    ['BMP', { format: 'bmp' }, 'image-format'],
    ['TIFF', { format: 'tiff' }, 'image-format'],
    ['GIF', { format: 'gif' }, 'image-format'],
    ['AVIF', { format: 'avif' }, 'image-format'],
    ['30 MB', { bytes: 30 * MB }, undefined],
    ['a byte over 30 MB', { bytes: 30 * MB + 1 }, 'image-bytes'],
    ['256x256', { width: 256, height: 256 }, undefined],
    ['255x256', { width: 255, height: 256 }, 'image-sides'],
    ['256x255', { width: 256, height: 255 }, 'image-sides'],
    ['5760x5760', { width: 5760, height: 5760 }, undefined],
    ['5761x5760', { width: 5761, height: 5760 }, 'image-sides'],
    ['5760x5761', { width: 5760, height: 5761 }, 'image-sides'],
    ['a ratio of 2.5', { width: 1000, height: 400 }, undefined],
    ['a ratio over 2.5', { width: 1001, height: 400 }, 'image-ratio'],
    ['a ratio of 0.4', { width: 400, height: 1000 }, undefined],
    ['a ratio under 0.4', { width: 400, height: 1001 }, 'image-ratio'],
  ]

  describe('an image', () => {
    test.each(pictures)('%s as a frame', (_, facts, rule) => expect(ruleOf(withFrame(facts))).toBe(rule))
    test.each(pictures)('%s as a reference', (_, facts, rule) => expect(ruleOf(withImage(facts))).toBe(rule))
  })

  describe('a video', () => {
    test.each<[string, Partial<VideoFacts>, string | undefined]>([
      ['MP4', { format: 'mp4' }, undefined],
      ['MOV', { format: 'mov' }, undefined],
      ['H.264', { videoCodec: 'h264' }, undefined],
      ['H.265', { videoCodec: 'h265' }, undefined],
      ['VP9', { videoCodec: 'vp09' }, 'video-codec'],
      ['MPEG-4 part 2', { videoCodec: 'mp4v' }, 'video-codec'],
      ['AAC', { audioCodec: 'aac' }, undefined],
      ['MP3', { audioCodec: 'mp3' }, undefined],
      ['PCM', { audioCodec: 'sowt' }, 'video-sound'],
      ['50 MB', { bytes: 50 * MB }, undefined],
      ['a byte over 50 MB', { bytes: 50 * MB + 1 }, 'video-bytes'],
      ['256x256', { width: 256, height: 256 }, undefined],
      ['255x256', { width: 255, height: 256 }, 'video-sides'],
      ['256x255', { width: 256, height: 255 }, 'video-sides'],
      ['5760x5760', { width: 5760, height: 5760 }, undefined],
      ['5761x5760', { width: 5761, height: 5760 }, 'video-sides'],
      ['5760x5761', { width: 5760, height: 5761 }, 'video-sides'],
      ['a ratio of 2.5', { width: 1000, height: 400 }, undefined],
      ['a ratio over 2.5', { width: 1001, height: 400 }, 'video-ratio'],
      ['a ratio of 0.4', { width: 400, height: 1000 }, undefined],
      ['a ratio under 0.4', { width: 400, height: 1001 }, 'video-ratio'],
      ['23.976 frames a second', { framesPerSecond: 23.976 }, undefined],
      ['24000/1001 frames a second', { framesPerSecond: 24000 / 1001 }, undefined],
      ['23.975 frames a second', { framesPerSecond: 23.975 }, 'video-frame-rate'],
      ['59.94 frames a second', { framesPerSecond: 59.94 }, undefined],
      ['60 frames a second', { framesPerSecond: 60 }, undefined],
      ['60.1 frames a second', { framesPerSecond: 60.1 }, 'video-frame-rate'],
      ['2 seconds', { seconds: 2 }, undefined],
      ['1.999 seconds', { seconds: 1.999 }, 'video-seconds'],
      ['15 seconds', { seconds: 15 }, undefined],
      ['15.001 seconds', { seconds: 15.001 }, 'video-seconds'],
    ])('of %s', (_, facts, rule) => expect(ruleOf(withVideo(facts))).toBe(rule))

    test('without sound', () => {
      const { audioCodec: _, ...silent } = (video() as Extract<ResolvedMedia, { state: 'read' }>)
        .facts as VideoFacts
      const found: ResolvedMedia = {
        state: 'read',
        facts: silent,
        blob: 'b'.repeat(64),
        origin: 'silent.mp4',
      }
      expect(ruleOf(asking([[clip, 'reference_video', found]]))).toBe(undefined)
    })
  })

  describe('an audio', () => {
    test.each<[string, Partial<AudioFacts>, string | undefined]>([
      ['WAV', { format: 'wav' }, undefined],
      ['MP3', { format: 'mp3' }, undefined],
      ['15 MB', { bytes: 15 * MB }, undefined],
      ['a byte over 15 MB', { bytes: 15 * MB + 1 }, 'audio-bytes'],
      ['2 seconds', { seconds: 2 }, undefined],
      ['1.999 seconds', { seconds: 1.999 }, 'audio-seconds'],
      ['15 seconds', { seconds: 15 }, undefined],
      ['15.001 seconds', { seconds: 15.001 }, 'audio-seconds'],
    ])('of %s', (_, facts, rule) => expect(ruleOf(withAudio(facts))).toBe(rule))
  })

  describe.each(['video', 'audio'] as const)('the %s references together', (kind) => {
    test.each([
      [[5, 5, 5], true],
      [[2, 13], true],
      [[2.2, 5.9, 6.9], true],
      [[5, 5, 5.001], false],
      [[2, 13.001], false],
      [[8, 8], false],
    ])('%j seconds: %s', (lengths, isTaken) =>
      expect(ruleOf(seconds(kind, lengths))).toBe(isTaken ? undefined : `${kind}-seconds-in-all`),
    )
  })

  test('videos and audios have 15 seconds each', () => {
    expect(
      ruleOf(
        asking([
          [clip, 'reference_video', video({ seconds: 15 })],
          [sound, 'reference_audio', audio({ seconds: 15 })],
        ]),
      ),
    ).toBe(undefined)
  })

  test('names the medium that goes beyond the seconds in all', () => {
    expect(seconds('video', [8, 8]).message).toBe(
      'invalid params, content[3].video_url.url must be within 15 seconds of video in all, found 16 (2013)',
    )
  })

  test('says what an image is and what it must be', () => {
    expect(withFrame({ width: 255, height: 300 }).message).toBe(
      'invalid params, content[1].image_url.url must be from 256 to 5760 pixels wide and high, found "255x300" (2013)',
    )
  })

  test('goes by the content and not by the field', () => {
    expect(ruleOf(asking([[picture, 'first_frame', video()]]))).toBe('media-kind')
    expect(ruleOf(asking([[clip, 'reference_video', audio()]]))).toBe('media-kind')
  })

  test.each(['unreachable', 'too-large', 'asset'] as const)(
    'refuses a medium that cannot be had: %s',
    (reason) => {
      const { status, message } = asking([[picture, 'first_frame', refused(reason, 'it is cut short')]])
      expect(status).toBe(400)
      expect(message).toBe('invalid params, content[1].image_url.url cannot be used: it is cut short (2013)')
    },
  )

  test.each([
    ['image_url', picture, 'reference_image', 'JPG, JPEG, PNG, WEBP, HEIC or HEIF'],
    ['video_url', clip, 'reference_video', 'MP4 or MOV'],
    ['audio_url', sound, 'reference_audio', 'WAV or MP3'],
  ] as const)(
    'says which formats there are where the medium of an %s cannot be read',
    (field, item, role, formats) => {
      const { status, message } = asking([
        [picture, 'reference_image', image()],
        [item, role, refused('unreadable', 'it is a WebM')],
      ])
      expect(status).toBe(400)
      expect(message).toContain(`content[2].${field}.url cannot be used: it is a WebM; allowed: ${formats}`)
    },
  )

  test('facts that are not known refuse nothing', () => {
    expect(
      ruleOf(
        asking([
          [picture, 'reference_image', unseen()],
          [clip, 'reference_video', unseen()],
          [clip, 'reference_video', video({ seconds: 15 })],
          [sound, 'reference_audio', unseen()],
        ]),
      ),
    ).toBe(undefined)
  })
})

describe('frame rate', () => {
  /** Asks for a video with a reference of 144 frames, of so many ticks of a second each. */
  const asking = (ticksPerSecond: number, ticks: number) => {
    const bytes = movieFile({ ticksPerSecond, frames: [[144, ticks]] })
    const facts = readMovie(bytes, 'mp4')
    if (facts.kind !== 'video') throw new Error(JSON.stringify(facts))
    const found: ResolvedMedia = { state: 'read', facts, blob: 'a'.repeat(64), origin: 'clip.mp4' }
    const content = [text(), clip(url(), 'reference_video')]
    return answer(request({ content }), contextWith({ resolvedMedia: { [url()]: found } })).rules
  }

  // §F asks for 23.976 to 60. What a file says is a number of frames in a time that was rounded to whole ticks: within
  // 0.05 % of a usual rate it is that rate, so that "23.97", as players show 24000/1001, is 23.976.
  test.each([
    ['24000/1001', 24_000, 1_001],
    ['23.97', 2_397, 100],
    ['23.965, which is 23.976 within 0.05 %', 23_965, 1_000],
    ['60', 60, 1],
    ['60.029, which is 60 within 0.05 %', 60_029, 1_000],
  ])('a video of %s frames a second is within the limit', (_, ticksPerSecond, ticks) =>
    expect(asking(ticksPerSecond, ticks)).toEqual([]),
  )

  test.each([
    ['23.963', 23_963, 1_000],
    ['23.9', 239, 10],
    ['60.031', 60_031, 1_000],
    ['61', 61, 1],
  ])('a video of %s frames a second is beyond the limit', (_, ticksPerSecond, ticks) =>
    expect(asking(ticksPerSecond, ticks)).toContain('f-video-v2.video-frame-rate'),
  )
})
