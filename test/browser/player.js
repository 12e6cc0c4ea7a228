// What runs in the page: a player, and what is seen in it.

const video = document.createElement('video')
document.body.append(video)

/** Loads a video, across origins. */
globalThis.load = async (src) => {
  Object.assign(video, { crossOrigin: 'anonymous', muted: true, src })
  await new Promise((resolve, reject) => {
    video.onloadeddata = resolve
    video.onerror = () => reject(new Error(video.error?.message))
  })
  return { seconds: video.duration, width: video.videoWidth, height: video.videoHeight }
}

/** Comes back when the frame of a time can be seen, which is some time after it has been found. */
const shownAt = (time) =>
  new Promise((resolve) => {
    const look = (_, { mediaTime }) => {
      if (Math.abs(mediaTime - time) < 0.06) resolve()
      else video.requestVideoFrameCallback(look)
    }
    video.requestVideoFrameCallback(look)
  })

/** What is seen at a time: in the middle, and on the street with its traffic. */
globalThis.seenAt = async (time) => {
  const sought = new Promise((resolve) => {
    video.onseeked = resolve
  })
  const shown = shownAt(time)
  video.currentTime = time
  await Promise.all([sought, shown])
  const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
  const context = canvas.getContext('2d')
  context.drawImage(video, 0, 0)
  const part = (...area) => [...context.getImageData(...area).data]
  return { middle: part(640, 200, 1, 1).slice(0, 3), street: part(0, 620, 1280, 48).join() }
}

/** Plays it eight times as fast, from where it is to its end. */
globalThis.playToEnd = async () => {
  video.playbackRate = 8
  const ended = new Promise((resolve) => {
    video.onended = resolve
  })
  await Promise.all([ended, video.play()])
  return { at: video.currentTime, error: video.error?.message ?? null }
}
