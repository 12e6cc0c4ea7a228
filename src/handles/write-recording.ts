import { writeFile } from 'node:fs/promises'

/** Writes the text of a recording into a file, over what it held. */
export const writeRecording = (file: string, text: string): Promise<void> => writeFile(file, text)
