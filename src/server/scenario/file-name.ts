import { extname } from 'node:path'

/** Whether a name is that of a file rather than of a ready-made scenario. */
export const isFileName = (name: string): boolean =>
  ['.yaml', '.yml', '.json'].includes(extname(name).toLowerCase()) || /[/\\]/.test(name)
