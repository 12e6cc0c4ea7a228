import { render } from 'preact'
import { session } from './app.js'
import { Frame } from './frame.js'
import { keepRows } from './task-rows.js'

// A task of its own: the evaluation of the script is one already.
setTimeout(() => {
  render(<Frame />, document.getElementById('app') as HTMLElement)
  keepRows()
  session.start()
})
