/** What a rule says of itself. */
export interface StatedRule {
  /** Unique within the family: `size-area`. */
  readonly id: string
  /** What must be true, as a sentence: "The area of `size` is from 512*512 to 2048*2048 pixels." */
  readonly says: string
  /** Where the specification says so: `§A parameters size`, or `gap B9`. */
  readonly place: string
}

/** A rule of a family as the journal names it. */
export const ruleRef = (
  family: string,
  { id, place }: StatedRule,
): { readonly rule: string; readonly place: string } => ({ rule: `${family}.${id}`, place })
