import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { install } from './packed.mjs'

/**
 * Compares the readers of `src/emulator/core/media/readers` with published demuxers on damaged films and sounds, for decision 0014:
 * `node scripts/compare-demuxers.mjs [copies of each file]`. Each candidate reads one file after the other in a process with
 * 512 MiB of heap. One that takes longer than two seconds is killed, and a new process goes on with the next file.
 */
const packages = ['music-metadata@11.16.0', 'mp4box@2.4.1', 'mediabunny@1.61.0']
const sources = ['clip-2s.mp4', 'clip-fragmented.mp4', 'clip.mov', 'tone-1s.wav', 'tone.mp3']
const copies = Number(process.argv[2] ?? 400)
const LIMIT_MS = 2_000

/** What a process runs: `read` resolves with a length in seconds, or rejects. */
const candidates = {
  Backlot: `
    const { readMovie } = await import('${resolve('src/emulator/core/media/readers/movie.ts')}')
    const { readMp3 } = await import('${resolve('src/emulator/core/media/readers/mp3.ts')}')
    const { readWav } = await import('${resolve('src/emulator/core/media/readers/wav.ts')}')
    const { sniff } = await import('${resolve('src/emulator/core/media/readers/sniff.ts')}')
    const read = async (bytes) => {
      const format = sniff(bytes)
      const facts = format === 'wav' ? readWav(bytes) : format === 'mp3' ? readMp3(bytes) : readMovie(bytes, 'mp4')
      if (facts.kind === 'unreadable') throw new Error('unreadable')
    }`,
  'music-metadata': `
    const { parseBuffer } = await import('music-metadata')
    const read = (bytes) => parseBuffer(bytes, undefined, { duration: true })`,
  mp4box: `
    const { createFile } = await import('mp4box')
    console.log = console.warn = console.error = () => {}
    const read = async (bytes) => {
      const file = createFile()
      let info
      file.onReady = (it) => { info = it }
      file.onError = (error) => { throw new Error(error) }
      const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
      file.appendBuffer(Object.assign(buffer, { fileStart: 0 }))
      file.flush()
      if (info === undefined) throw new Error('no movie')
    }`,
  mediabunny: `
    const { ALL_FORMATS, BufferSource, Input } = await import('mediabunny')
    const read = (bytes) => new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) }).computeDuration()`,
}

const LOOP = `
  const { readFileSync } = await import('node:fs')
  const { from, count } = JSON.parse(process.argv[1])
  const say = (text) => process.stdout.write(text + '\\n')
  say('ready')
  for (let index = from; index < count; index += 1) {
    const bytes = new Uint8Array(readFileSync(index + '.damaged'))
    const begun = performance.now()
    const outcome = await Promise.resolve().then(() => read(bytes)).then(() => 'read', () => 'refused')
    say(index + ' ' + outcome + ' ' + (performance.now() - begun))
  }
  process.exit()`

/** Linear congruential generator, so that every run damages alike. */
const createRandom = (seed) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** A field of four bytes with an extreme or random value, a changed byte, or a file that is cut off. */
const damage = (bytes, random) => {
  const at = Math.floor(random() * (bytes.length - 4))
  const kind = Math.floor(random() * 6)
  if (kind === 5) return bytes.subarray(0, at)
  const damaged = Buffer.from(bytes)
  if (kind === 4) damaged[at] ^= 1 << Math.floor(random() * 8)
  else damaged.writeUInt32BE([0, 0x7f_ff_ff_ff, 0xff_ff_ff_ff, Math.floor(random() * 2 ** 32)][kind], at)
  return damaged
}

/** Reads files from an index on, until the process ends or is killed; resolves with the number of files that it finished. */
const readFrom = (folder, code, { from, count }, onRead) =>
  new Promise((done) => {
    const args = [
      '--max-old-space-size=512',
      '--import',
      import.meta.resolve('tsx'),
      '--input-type=module',
      '-e',
    ]
    const child = spawn(process.execPath, [...args, code + LOOP, JSON.stringify({ from, count })], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let next = from
    let isSlow = false
    let timer
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isSlow = true
        child.kill('SIGKILL')
      }, LIMIT_MS)
    }
    createInterface(child.stdout).on('line', (line) => {
      watch()
      if (line === 'ready') return
      const [index, outcome, ms] = line.split(' ')
      next = Number(index) + 1
      onRead(outcome, Number(ms))
    })
    child.on('close', () => {
      clearTimeout(timer)
      done({ next, isSlow })
    })
  })

const folder = mkdtempSync(join(tmpdir(), 'backlot-demuxers-'))
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  install(folder, ...packages)
  const random = createRandom(1)
  const files = sources.flatMap((name) => {
    const bytes = readFileSync(join('fixtures', 'media', name))
    return Array.from({ length: copies }, () => damage(bytes, random))
  })
  files.push(Buffer.alloc(10 * 2 ** 20, 0xff))
  for (const [index, bytes] of files.entries()) writeFileSync(join(folder, `${index}.damaged`), bytes)
  console.log(`${files.length} damaged files`)
  for (const [name, code] of Object.entries(candidates)) {
    const counts = { read: 0, refused: 0, slow: 0, died: 0 }
    let longest = 0
    for (let from = 0; from < files.length; ) {
      const { next, isSlow } = await readFrom(folder, code, { from, count: files.length }, (outcome, ms) => {
        counts[outcome] += 1
        longest = Math.max(longest, ms)
      })
      if (next < files.length) counts[isSlow ? 'slow' : 'died'] += 1
      from = next < files.length ? next + 1 : next
    }
    const { read, refused, slow, died } = counts
    const rest = `over ${LIMIT_MS / 1000} s ${slow}, process ended ${died}, longest of the others ${longest.toFixed(0)} ms`
    console.log(`${name}: read ${read}, refused ${refused}, ${rest}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
