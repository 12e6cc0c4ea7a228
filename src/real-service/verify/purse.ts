/** What a run may spend. */
interface Limits {
  /** In the currency of the price list, or undefined where there is no limit. */
  readonly budget?: number | undefined
  /** Undefined for as many as are planned, and a few that the service takes although it must refuse them. */
  readonly mostCreates?: number | undefined
}

/** Calls that a service may take although it must refuse them, where no limit is given. */
const UNPLANNED = 3

/** Purse: what a run has spent, and whether it may make one more create. A call is paid for before it is sent. */
export class Purse {
  readonly #budget: number
  readonly #most: number
  #spent = 0
  #creates = 0

  /** @param planned number of the creates that are planned */
  constructor({ budget, mostCreates }: Limits, planned: number) {
    this.#budget = budget ?? Number.POSITIVE_INFINITY
    this.#most = mostCreates ?? planned + UNPLANNED
  }

  get spent(): number {
    return this.#spent
  }

  get creates(): number {
    return this.#creates
  }

  /** Why a create of a price may not be made, or undefined where it may. */
  refusal(price: number): string | undefined {
    if (this.#creates + 1 > this.#most)
      return `it would be create number ${this.#creates + 1}, and --most-creates is ${this.#most}`
    if (this.#spent + price > this.#budget + ROUNDING)
      return `it may cost ${priceText(price)} beside ${priceText(this.#spent)}, and --budget is ${priceText(this.#budget)}`
    return undefined
  }

  /** Counts a create that was sent. */
  pay(price: number): void {
    this.#creates += 1
    this.#spent += price
  }

  /** Takes back the price of a create that the service has refused. It still counts as a create. */
  refund(price: number): void {
    this.#spent -= price
  }
}

// Sums of decimal fractions.
const ROUNDING = 1e-9

/** A price without the noise of binary fractions. */
export const priceText = (price: number): string => String(Math.round(price * 10_000) / 10_000)
