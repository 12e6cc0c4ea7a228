/** Slug: the words of a text in small letters, joined by hyphens; empty where it has none of a-z and 0-9. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
