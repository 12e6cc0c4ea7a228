import { render } from 'preact'
import { session } from './app.js'
import { Frame } from './frame.js'

render(<Frame />, document.getElementById('app') as HTMLElement)
session.start()
