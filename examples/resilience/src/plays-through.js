import { spawn } from 'node:child_process'
import { once } from 'node:events'
import ffmpeg from '@ffmpeg-installer/ffmpeg'

/** Whether a video can be decoded from its first picture to its last one. */
export const playsThrough = async (bytes) => {
  if (Buffer.from(bytes.subarray(4, 8)).toString('latin1') !== 'ftyp') return false
  // One thread: for a film of a few seconds, to start more takes longer than they save.
  const options = ['-v', 'error', '-threads', '1', '-f', 'mp4', '-i', 'pipe:0', '-f', 'null', '-']
  const decoder = spawn(ffmpeg.path, options)
  let complaints = ''
  decoder.stderr.on('data', (text) => {
    complaints += text
  })
  // It stops reading where the file is no video.
  decoder.stdin.on('error', () => {})
  decoder.stdin.end(bytes)
  const [code] = await once(decoder, 'close')
  return code === 0 && complaints === ''
}
