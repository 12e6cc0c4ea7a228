import { globalSetup } from 'backlot/vitest/global-setup'

// Workers inherit these variables, so that code may read them while it is imported.
export default globalSetup({
  timing: 'realistic',
  env: { IMAGE_API_BASE: '{url}/provA/api/v1', VIDEO_API_BASE: '{url}/provC/v2' },
})
