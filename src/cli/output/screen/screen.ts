import type { Print, Reporter } from '../reporter.js'
import { boundLine, happeningLine, requestLine } from './event-lines.js'
import type { Paint } from './paint.js'
import { startScreen, tokenLines } from './start-screen.js'

/** A start-up screen, then a line for everything that happens. */
export const screen = (print: Print, paint: Paint): Reporter => ({
  started: (started) => print(startScreen(started, paint)),
  events: {
    request: (entry) => print(requestLine(entry, paint)),
    // A turn later: what a call brings about at once happens before it is answered, and is told of before the call is.
    happening: (happening) => void setImmediate(print, happeningLine(happening, paint)),
    bound: (hit) => print(boundLine(hit, paint)),
  },
  stopped: () => print('Stopped.'),
})

/** The URL alone, and the control token where one had to be made. */
export const quietScreen = (print: Print): Reporter => ({
  started: ({ url, emulator }) => {
    print(url)
    tokenLines(emulator).forEach(print)
  },
  stopped: () => {},
})
