type Fields = Readonly<Record<string, unknown>>

/** The id that an answer to a create or an upload gives, in any family's place for it; undefined where it gives none. */
export const idIn = (answer: unknown): string | undefined => {
  const { id, task_id, output, data } = fieldsOf(answer)
  return [id, task_id, fieldsOf(output).task_id, fieldsOf(data).task_id].find(
    (one) => typeof one === 'string',
  ) as string | undefined
}

/** The object that an answer to a query is about: F has it one level down. */
export const taskIn = (answer: unknown): Fields => {
  const fields = fieldsOf(answer)
  return fields.task === undefined ? fields : fieldsOf(fields.task)
}

export const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {}
