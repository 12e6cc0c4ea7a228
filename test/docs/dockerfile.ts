/** An instruction of a Dockerfile: `COPY`, and what stands behind it on one line. */
export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The stages of a Dockerfile, each as its instructions, beginning with `FROM`. @throws Error for what is no instruction */
export const stagesOf = (text: string): Instruction[][] => {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Instruction[][] = []
  for (const instruction of lines.map(instructionIn)) {
    if (instruction.name === 'FROM') stages.push([instruction])
    else if (stages.length === 0) throw new Error(`${instruction.name} stands before FROM.`)
    else stages.at(-1)?.push(instruction)
  }
  return stages
}

const known =
  /^(FROM|ARG|ENV|WORKDIR|COPY|ADD|RUN|USER|EXPOSE|VOLUME|LABEL|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD|SHELL)\s+(.+)$/

const instructionIn = (line: string): Instruction => {
  const [, name, rest] = known.exec(line) ?? []
  if (name === undefined || rest === undefined) throw new Error(`There is no instruction in: ${line}`)
  return { name, rest: rest.trim() }
}

/** What stands behind each instruction of a name. */
export const all = (stage: readonly Instruction[], name: string): string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest)
