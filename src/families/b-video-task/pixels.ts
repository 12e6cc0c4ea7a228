import type { Pixels } from '../../core/media/image-size.js'
import type { Ratio } from '../shared/ratios.js'
import type { Resolution } from './schema.js'

/** Width and height by resolution and ratio (gap B13). */
export const pixels: Readonly<Record<Resolution, Readonly<Record<Ratio, Pixels>>>> = {
  '480p': {
    '16:9': { width: 864, height: 496 },
    '4:3': { width: 752, height: 560 },
    '1:1': { width: 640, height: 640 },
    '3:4': { width: 560, height: 752 },
    '9:16': { width: 496, height: 864 },
    '21:9': { width: 992, height: 432 },
  },
  '720p': {
    '16:9': { width: 1280, height: 720 },
    '4:3': { width: 1112, height: 834 },
    '1:1': { width: 960, height: 960 },
    '3:4': { width: 834, height: 1112 },
    '9:16': { width: 720, height: 1280 },
    '21:9': { width: 1470, height: 630 },
  },
  '1080p': {
    '16:9': { width: 1920, height: 1080 },
    '4:3': { width: 1664, height: 1248 },
    '1:1': { width: 1440, height: 1440 },
    '3:4': { width: 1248, height: 1664 },
    '9:16': { width: 1080, height: 1920 },
    '21:9': { width: 2206, height: 946 },
  },
}

export const FRAMES_PER_SECOND = 24
