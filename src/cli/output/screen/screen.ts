import type { Print, Reporter } from '../reporter.js'
import { happeningLine, requestLine } from './event-lines.js'
import type { Paint } from './paint.js'
import { startScreen, tokenLine } from './start-screen.js'

/** A start-up screen, then a line for everything that happens. */
export const screen = (print: Print, paint: Paint): Reporter => ({
  started: (started) => print(startScreen(started, paint)),
  events: {
    request: (entry) => print(requestLine(entry, paint)),
    happening: (happening) => print(happeningLine(happening, paint)),
  },
  stopped: () => print('Stopped.'),
})

/** The URL alone, and the control token where one had to be made. */
export const quietScreen = (print: Print): Reporter => ({
  started: ({ url, madeToken, emulator }) => {
    print(url)
    if (madeToken !== undefined) print(tokenLine(emulator.settings.host, madeToken))
  },
  stopped: () => {},
})
