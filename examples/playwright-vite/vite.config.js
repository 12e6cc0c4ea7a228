import { defineConfig } from 'vite'
import { createVideos } from './src/videos.js'

const { VIDEO_API_BASE: baseUrl, VIDEO_API_KEY: apiKey } = process.env

export default defineConfig({
  plugins: [
    {
      name: 'videos',
      configureServer: ({ middlewares }) =>
        void middlewares.use('/api/videos', createVideos({ baseUrl, apiKey })),
    },
  ],
})
