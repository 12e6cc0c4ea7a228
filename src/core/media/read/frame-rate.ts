const USUAL_RATES = [24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60]

/**
 * An average of frames a second, to a thousandth; within 0.05 % of a usual rate it is that rate.
 * Files that count in milliseconds, and telephones, miss 60 by a few hundredths; no two usual rates are that close.
 */
export const roundedRate = (average: number): number => {
  const usual = USUAL_RATES.find((rate) => Math.abs(average / rate - 1) < 0.0005)
  return Math.round((usual ?? average) * 1000) / 1000
}
