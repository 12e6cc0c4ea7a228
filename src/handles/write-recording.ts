/** Writes the text of a recording into a file, over what it held. */
export const writeRecording = async (file: string, text: string): Promise<void> => {
  const { writeFile } = await import('node:fs/promises')
  await writeFile(file, text)
}
