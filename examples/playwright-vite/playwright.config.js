import { defineConfig } from '@playwright/test'

const service = 'http://127.0.0.1:4651'
const app = 'http://127.0.0.1:4173'
const key = 'key-of-the-app'

export default defineConfig({
  testDir: 'test',
  // The app has one key, so that all tests have one account, which begins anew after each of them.
  workers: 1,
  // For machines that have much else to do.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: app,
    emulatorOptions: { url: service, key, verdict: true },
    // A browser that is installed already; without it, `npx playwright install chromium` downloads one.
    launchOptions: { executablePath: process.env.CHROMIUM_PATH },
  },
  webServer: [
    { command: 'npx backlot start --port 4651 --clock on-poll --quiet', url: `${service}/_backlot/health` },
    {
      command: 'npx vite --host 127.0.0.1 --port 4173 --strictPort',
      url: app,
      env: { VIDEO_API_BASE: `${service}/provB/api/v3`, VIDEO_API_KEY: key },
    },
  ],
})
