import type { AccountHandles, EmulatorHandles } from '../../src/index.js'

/** Calls to the service as a client of an account makes them. */
export const callsOf = (emulator: Pick<EmulatorHandles, 'url'>, { key }: Pick<AccountHandles, 'key'>) => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(emulator.url + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? '',
      // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
      body: (await response.json()) as any,
    }
  }
  const text = [{ type: 'text', text: 'a lighthouse' }]
  return {
    ask,
    createB: async (change: object = {}): Promise<string> => {
      const order = { model: 'videoa-2-0-260128', content: text, ...change }
      return (await ask('POST', '/provB/api/v3/contents/generations/tasks', order)).body.id
    },
    readB: async (id: string): Promise<string> =>
      (await ask('GET', `/provB/api/v3/contents/generations/tasks/${id}`)).body.status,
    createF: async (change: object = {}): Promise<string> => {
      const order = { model: 'gamma-H3', content: text, duration: 5, ...change }
      return (await ask('POST', '/provC/v2/video_generation', order)).body.task_id
    },
    createImage: (parameters: object) =>
      ask('POST', '/provA/api/v1/services/aigc/multimodal-generation/generation', {
        model: 'alpha-image-3.0-pro',
        input: { messages: [{ role: 'user', content: [{ text: 'a lighthouse' }] }] },
        parameters,
      }),
  }
}
