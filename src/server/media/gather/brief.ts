const [MOST, BEGINNING] = [80, 60]

/** A name as a message says it: whoever takes a whole data URL for one does not get it back. */
export const truncate = (name: string): string =>
  name.length <= MOST
    ? name
    : `${name.slice(0, BEGINNING).replace(/[\uD800-\uDBFF]$/, '')}… (${name.length} characters)`
