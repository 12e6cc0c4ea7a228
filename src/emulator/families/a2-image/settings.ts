import { switchedOff } from '../../core/setting-fields.js'

/** Settings of family A2. */
export const image2Settings = {
  a2Editing: switchedOff.describe('let alpha-image-2.0-pro take image items (A5)'),
}
