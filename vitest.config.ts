import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Random order on every run: a test that leans on another one is found soon.
    sequence: { shuffle: true },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
