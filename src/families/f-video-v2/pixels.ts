import type { Pixels } from '../../core/media/image-size.js'
import type { Ratio } from '../shared/ratios.js'
import type { Resolution } from './models.js'

/** Width and height by resolution and ratio (gap F15). */
export const pixels: Readonly<Record<Resolution, Readonly<Record<Ratio, Pixels>>>> = {
  '480P': {
    '21:9': { width: 1120, height: 480 },
    '16:9': { width: 854, height: 480 },
    '4:3': { width: 640, height: 480 },
    '1:1': { width: 480, height: 480 },
    '3:4': { width: 480, height: 640 },
    '9:16': { width: 480, height: 854 },
  },
  '768P': {
    '21:9': { width: 1792, height: 768 },
    '16:9': { width: 1344, height: 768 },
    '4:3': { width: 1024, height: 768 },
    '1:1': { width: 768, height: 768 },
    '3:4': { width: 768, height: 1024 },
    '9:16': { width: 768, height: 1344 },
  },
  '2K': {
    '21:9': { width: 2560, height: 1080 },
    '16:9': { width: 2560, height: 1440 },
    '4:3': { width: 2048, height: 1536 },
    '1:1': { width: 2048, height: 2048 },
    '3:4': { width: 1536, height: 2048 },
    '9:16': { width: 1440, height: 2560 },
  },
}

export const FRAMES_PER_SECOND = 24
