/** Stops the emulator that the global setup has started. */
export const teardown = async (): Promise<void> => {
  const shared: { stop(): Promise<void> } | undefined = Reflect.get(
    globalThis,
    Symbol.for('backlot.jest.shared'),
  )
  await shared?.stop()
}

export { teardown as default }
