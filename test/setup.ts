import { vi } from 'vitest'

// The settings restoreMocks and unstubEnvs act before each test. What a file does before its first test would still see what
// the last test of the file before stood in for, since files share the modules of their worker.
vi.restoreAllMocks()
vi.unstubAllEnvs()
