import { globalSetup } from 'backlot/jest/global-setup'

export default globalSetup({ env: { VIDEO_API_BASE: '{url}/v1' } })
