/** What can be had of the document by itself. */
export const parts = ['service', 'control'] as const
export type Part = (typeof parts)[number]
