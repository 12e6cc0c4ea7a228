import Module, { register } from 'node:module'

// Loaded into an emulator's process (`node --import`): the packages that BACKLOT_ABSENT names, with commas between them,
// are not there, whether they are required or imported.

const absent = (process.env.BACKLOT_ABSENT ?? '').split(',')

const notFound = (name) =>
  Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })

const resolve = Module._resolveFilename
Module._resolveFilename = function (name, ...rest) {
  if (absent.includes(name)) throw notFound(name)
  return resolve.call(this, name, ...rest)
}

const hooks = `export const resolve = (name, context, next) => {
  if (!${JSON.stringify(absent)}.includes(name)) return next(name, context)
  throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' })
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
