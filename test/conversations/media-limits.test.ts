import { describe, expect, test } from 'vitest'
import { movieFile } from '../emulator/core/media/readers/movie-file.js'
import { bodies, openInProcess, paths } from '../emulator.js'

const { as } = openInProcess()

const text = { type: 'text', text: 'a lighthouse' }
const at = (file: string) => `http://127.0.0.1/_backlot/fixtures/${file}`
const image = (file: string, role = 'reference_image') => ({
  ...{ type: 'image_url', image_url: { url: at(file) } },
  role,
})
const video = (file: string) => ({ type: 'video_url', video_url: { url: at(file) } })
const audio = (file: string) => ({ type: 'audio_url', audio_url: { url: at(file) } })

const asked = async (...media: object[]) => {
  const body = { model: 'gamma-H3', content: [text, ...media], duration: 5 }
  const reply = await as('key').post('/provC/v2/video_generation', body)
  return { status: reply.status, message: reply.body.error?.message as string | undefined }
}

describe('the table of media limits of F, with real files', () => {
  test.each([
    'landscape.jpg',
    'portrait.jpeg',
    'square.png',
    'landscape.webp',
    'landscape.heic',
    'portrait.heif',
    'side-256.png',
    'side-5760.png',
    'ratio-0.4.png',
    'ratio-2.5.png',
    'png-named.jpg',
  ])('%s is taken as an image', async (file) => expect((await asked(image(file))).status).toBe(200))

  test.each([
    ['landscape.bmp', 'must be JPG, JPEG, PNG, WEBP, HEIC or HEIF, found "bmp"'],
    ['landscape.gif', 'must be JPG, JPEG, PNG, WEBP, HEIC or HEIF, found "gif"'],
    ['side-255.png', 'must be from 256 to 5760 pixels wide and high, found "255x'],
    ['side-5761.png', 'must be from 256 to 5760 pixels wide and high, found "5761x'],
    ['too-tall.png', 'must be of a width/height ratio from 0.4 to 2.5, found "399x1000"'],
    ['too-wide.png', 'must be of a width/height ratio from 0.4 to 2.5, found "1000x399"'],
    ['cut-short.jpg', 'is cut short or damaged; allowed: JPG, JPEG, PNG, WEBP, HEIC or HEIF'],
    ['text-named.png', 'the file is text, which is not a format that is read here; allowed: JPG,'],
    ['bomb.png', 'the PNG has 100000x100000 pixels'],
    ['clip.mp4', 'must be an image, found a video (mp4)'],
  ])('%s is refused as an image, and named', async (file, words) => {
    const { status, message } = await asked(image(file))
    expect(status).toBe(400)
    expect(message).toContain('content[1].image_url.url ')
    expect(message).toContain(words)
  })

  test.each([
    'clip.mp4',
    'clip.mov',
    'clip-h265.mp4',
    'clip-mp3-sound.mp4',
    'clip-silent.mp4',
    'clip-2s.mp4',
    'clip-15s.mp4',
    'clip-23.976fps.mp4',
    'clip-60fps.mp4',
  ])('%s is taken as a video', async (file) => expect((await asked(video(file))).status).toBe(200))

  test.each([
    ['clip-vp9.mp4', 'must be in H.264/AVC or H.265/HEVC, found "vp09"'],
    ['clip-mpeg4.mp4', 'must be in H.264/AVC or H.265/HEVC, found "mp4v"'],
    ['clip-pcm-sound.mov', 'must be with sound in AAC or MP3, or without sound, found "sowt"'],
    ['clip-1s.mp4', 'must be from 2 to 15 seconds long, found 1'],
    ['clip-16s.mp4', 'must be from 2 to 15 seconds long, found 16'],
    ['clip-12fps.mp4', 'must be from 23.976 to 60 frames a second, found 12'],
    ['clip-61fps.mp4', 'must be from 23.976 to 60 frames a second, found 61'],
    ['clip-side-254.mp4', 'must be from 256 to 5760 pixels wide and high, found "254x'],
    ['clip-side-5762.mp4', 'must be from 256 to 5760 pixels wide and high, found "5762x'],
    ['clip-too-tall.mp4', 'must be of a width/height ratio from 0.4 to 2.5, found "316x800"'],
    ['clip-too-wide.mp4', 'must be of a width/height ratio from 0.4 to 2.5, found "800x316"'],
    ['endless-box.mp4', 'with an impossible size; allowed: MP4 or MOV'],
    ['square.png', 'must be a video, found an image (png)'],
  ])('%s is refused as a video, and named', async (file, words) => {
    const { status, message } = await asked(video(file))
    expect(status).toBe(400)
    expect(message).toContain('content[1].video_url.url ')
    expect(message).toContain(words)
  })

  test.each(['tone.wav', 'tone.mp3', 'tone-2s.mp3', 'tone-15s.mp3'])('%s is taken as audio', async (file) =>
    expect((await asked(image('square.png'), audio(file))).status).toBe(200),
  )

  test.each([
    ['tone-1s.wav', 'must be from 2 to 15 seconds long, found 1'],
    ['tone-16s.mp3', 'must be from 2 to 15 seconds long, found 16'],
    ['cut-short.wav', 'the WAV ends in the middle of its sound; allowed: WAV or MP3'],
    ['clip.mp4', 'must be audio, found a video (mp4)'],
  ])('%s is refused as audio, and named', async (file, words) => {
    const { status, message } = await asked(image('square.png'), audio(file))
    expect(status).toBe(400)
    expect(message).toContain('content[2].audio_url.url ')
    expect(message).toContain(words)
  })

  test('videos of 15 seconds in all are taken, and the one that goes beyond them is named', async () => {
    const thirds = Array<object>(3).fill(video('clip.mp4'))
    expect((await asked(...thirds)).status).toBe(200)
    const { status, message } = await asked(video('clip-15s.mp4'), video('clip-2s.mp4'))
    expect(status).toBe(400)
    expect(message).toContain('content[2].video_url.url must be within 15 seconds of video in all, found 17')
  })
})

test('a film whose header contradicts its pictures is taken by its pictures, and the journal says so', async () => {
  const url = `data:video/mp4;base64,${movieFile({ shownMs: 46_080 }).toString('base64')}`
  const film = { type: 'video_url', role: 'reference_video', video_url: { url } }
  const account = as('contradiction')
  const { status, body, headers } = await account.post(paths.tasks, bodies.task({ content: [text, film] }))
  expect([status, body.error?.message]).toEqual([200, undefined])
  const { warnings } = await account.requests.get(headers['x-request-id'] ?? '')
  expect(warnings).toEqual([
    'content[1].video_url.url: a header of the file says that it is 46.08 s long, and its pictures last 3 s',
  ])
})
