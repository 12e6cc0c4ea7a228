import { mergeReports, parseReport } from '../../sweep/merge.js'
import type { Arguments, CliCommand } from '../command.js'
import { readText } from '../settings/files.js'
import { publish, publishOptions, readTerms } from './publish.js'

export const command: CliCommand = {
  usage: 'sweep report <part...>',
  description: 'merge the JSON reports of the shards of a sweep, and print the whole',
  options: publishOptions,
  examples: [
    ['backlot sweep report part-*.json', 'exit code 3 where a part is missing'],
    ['backlot sweep report part-*.json --html sweep.html --junit sweep.xml', 'also as files'],
  ],
  run: async (args) => runReport(args),
}

/** Merges parts. Resolves with the exit code of the whole. */
const runReport = async ({ operands: [, ...files], options }: Arguments): Promise<number> => {
  const terms = await readTerms(options)
  const parts = await Promise.all(files.map(async (file) => parseReport(await readText(file), file)))
  return publish(mergeReports(parts), terms, options)
}
