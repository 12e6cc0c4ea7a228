/**
 * Where the emulator is in a recording, wherever it was: a host that can be no other's (RFC 2606). A replay that calls
 * under this host gets absolute URLs that begin as the recorded ones.
 */
export const EMULATOR_HOST = 'emulator.invalid'
export const EMULATOR = `http://${EMULATOR_HOST}`

/** Below it are URLs that say what stands behind them, in place of some that cannot be fetched any more. */
export const STAND_INS_PATH = '/_backlot/stand-ins'
