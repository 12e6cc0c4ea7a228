/**
 * The keys of a request under which media are written, as strings or lists of them: `image` in A, A2 and E, `url` in B,
 * C and F. Whoever reads a large body takes Base64 out of these places and no others.
 */
export const mediaKeys: readonly string[] = ['image', 'url']
