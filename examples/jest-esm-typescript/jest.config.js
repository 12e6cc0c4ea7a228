import { createDefaultEsmPreset } from 'ts-jest'

export default {
  ...createDefaultEsmPreset(),
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: './test/global-setup.js',
  globalTeardown: 'backlot/jest/global-teardown',
}
