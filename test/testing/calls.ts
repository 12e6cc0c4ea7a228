/** Calls to the service, as the code under test makes them. */
export const createTask = async (url: string, key: string, change: object = {}): Promise<string> => {
  const response = await fetch(`${url}/provB/api/v3/contents/generations/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'videoa-2-0-260128',
      content: [{ type: 'text', text: 'a lighthouse' }],
      ...change,
    }),
  })
  return ((await response.json()) as { id: string }).id
}

/** A call of a path that the service does not have. */
export const callAstray = async (url: string, key?: string): Promise<void> => {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: key }
  await (await fetch(`${url}/v1/videoz`, { headers })).text()
}
