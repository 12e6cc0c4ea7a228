/** Stops what the global setups of the run have started. */
export const teardown = async (): Promise<void> => {
  const key = Symbol.for('backlot.jest.shared')
  const shared: { stop(): Promise<void> } | undefined = Reflect.get(globalThis, key)
  Reflect.deleteProperty(globalThis, key)
  await shared?.stop()
}

export { teardown as default }
