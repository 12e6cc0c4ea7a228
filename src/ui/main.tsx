import { render } from 'preact'
import { session } from './app.js'
import { Frame } from './frame.js'

// A task of its own: the evaluation of the script is one already.
setTimeout(() => {
  render(<Frame />, document.getElementById('app') as HTMLElement)
  session.start()
})
