import { fileURLToPath } from 'node:url'
import { startEmulatorProcess } from '../emulator.js'
import { type Answer, get, newPicture, newVideo } from './calls.js'
import type { Fault } from './fault.js'
import { drawingInto, inFolder } from './in-folder.js'

const ABSENT = fileURLToPath(new URL('./absent.mjs', import.meta.url))

/** Environment of an emulator that finds neither a package nor any program of the PATH. */
const without = (name: string) => ({
  environment: {
    NODE_OPTIONS: `--import ${ABSENT}`,
    BACKLOT_ABSENT: name,
    PATH: '/nowhere',
  },
})

const saysWhatToDo = ({ status, text }: Answer, what: string): boolean =>
  status === 500 && text.includes(what) && /install/i.test(text)

/** A package that media are made with. What needs it says so; what does not goes on. */
const mediaPackage = (
  name: string,
  { needs, says }: { readonly needs: readonly ('picture' | 'video')[]; readonly says: string },
): Fault =>
  inFolder(`without the package ${name}`, async ({ check, folder, start }) => {
    const { url, errors } = await start(drawingInto(folder), without(name))
    const media = { picture: await get(await newPicture(url)), video: await get(await newVideo(url)) }
    for (const kind of ['picture', 'video'] as const) {
      const { status, text } = media[kind]
      if (needs.includes(kind))
        check(saysWhatToDo(media[kind], says), `the ${kind} says so: ${status} ${text}`)
      else check(status === 200, `the ${kind} is there: ${status} ${text}`)
    }
    check((await get(`${url}/_backlot/health`)).status === 200, 'it still answers')
    check(errors().split('\n').length < 20, `no flood: ${errors().slice(0, 2_000)}`)
    return `it starts, and the ${needs.join(' and the ')} says what to install`
  })

/** Every package that an installation may lack. */
export const absentPackages: readonly Fault[] = [
  mediaPackage('sharp', { needs: ['picture', 'video'], says: 'sharp' }),
  mediaPackage('@ffmpeg-installer/ffmpeg', { needs: ['video'], says: 'ffmpeg' }),
  mediaPackage('fluent-ffmpeg', { needs: ['video'], says: 'ffmpeg' }),
  {
    name: 'without the package @redis/client',
    run: async (check) => {
      const alone = await startEmulatorProcess([], without('@redis/client'))
      check((await get(`${alone.url}/_backlot/health`)).status === 200, 'it starts where no store is named')
      await alone.kill()
      const refused = await startEmulatorProcess(
        ['--set', 'store=redis://127.0.0.1:1'],
        without('@redis/client'),
      ).then(
        ({ kill }) => kill().then(() => 'It started.'),
        (error) => String(error),
      )
      check(refused.includes('npm install @redis/client'), `with a store it says what to install: ${refused}`)
      return 'it starts without a store, and with one says what to install'
    },
  },
]
