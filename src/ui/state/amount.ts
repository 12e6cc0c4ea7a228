/** `1,234.5`: a number with its thousands apart. Written out, since the browser's own formatter takes long to begin. */
export const amount = (value: number, digits = 2): string =>
  String(Number(value.toFixed(digits))).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',')
