import type { QuotaName } from '../core/model/quota-name.js'

/** Quota reporter: where the parts of media say how full they are. A part of the emulator's quotas. */
export interface QuotaReporter {
  /** Nothing more fits: something old is evicted, or something new waits. */
  hit(name: QuotaName): void
  /** Nothing more fits, and a caller is refused. */
  refuse(name: QuotaName): void
  /** The size at this moment, for the peak. */
  saw(name: QuotaName, size: number): void
  /** How sizes are measured when somebody asks. */
  measure(sizes: Readonly<Partial<Record<QuotaName, () => number>>>): void
}

/** Reporter for parts that run on their own. */
export const noQuotaReporter: QuotaReporter = {
  hit: () => {},
  refuse: () => {},
  saw: () => {},
  measure: () => {},
}
