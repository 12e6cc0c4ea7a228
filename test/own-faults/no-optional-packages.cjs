/** Preloaded by a test: has the optional packages be absent. */
const Module = require('node:module')

const absent = ['sharp', '@ffmpeg-installer/ffmpeg', 'fluent-ffmpeg']
const resolve = Module._resolveFilename
Module._resolveFilename = function (name, ...rest) {
  if (absent.includes(name)) {
    const error = new Error(`Cannot find module '${name}'`)
    error.code = 'MODULE_NOT_FOUND'
    throw error
  }
  return resolve.call(this, name, ...rest)
}
