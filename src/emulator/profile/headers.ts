/** Headers with Content-Type spelt as replies spell it: they are written as a list, in which two spellings would both stand. */
export const withTypeName = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      /^content-type$/i.test(name) ? 'Content-Type' : name,
      value,
    ]),
  )
