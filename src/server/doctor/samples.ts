import type { PictureSpec, TitleCard, VideoSpec } from '../../core/media/spec.js'

const card: TitleCard = {
  prompt: 'backlot doctor 生成',
  model: 'doctor',
  size: 'tiny',
  seed: 1,
  id: 'doctor',
}

/** As little as shows that letters, pixels and the encoder of pictures work. */
export const tinyPicture: PictureSpec = {
  ...{ kind: 'picture', width: 256, height: 144, seed: 1, card },
  hasWatermark: true,
  inputs: [],
}

/** As little as shows that both encoders of videos work: one second with sound. */
export const tinyVideo: VideoSpec = {
  ...{ kind: 'video', width: 256, height: 144, seed: 1, card },
  seconds: 1,
  framesPerSecond: 24,
  hasAudio: true,
  hasWatermark: true,
  references: [],
}
