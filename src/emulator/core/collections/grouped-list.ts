/** Group of a list: the facts that its items share, and how many there are. */
interface Group<F> {
  readonly facts: F
  /** Index among the groups of the list. */
  readonly number: number
  size: number
}

/** Item of a grouped list, which writes these fields. */
export abstract class GroupedItem<F> {
  group!: Group<F>
  block!: Block<this>
  slot = -1
}

/** Neighbours in the list, with the number of items of each group among them. */
interface Block<T> {
  /** Blocks stand in the order of their numbers. */
  readonly number: number
  readonly items: (T | undefined)[]
  readonly counts: number[]
  /** There is no item before this slot. */
  start: number
  size: number
}

/** Negative where the first item is older than the other, for sorting. */
export const comparePlaces = <F>(one: GroupedItem<F>, other: GroupedItem<F>): number =>
  one.block.number - other.block.number || one.slot - other.slot

const BLOCK_SIZE = 512

/**
 * Order-statistic list: items in the order in which they were added, newest last, each in a group. Blocks of 512 count
 * their items by group, so that a page of some groups skips the blocks without any of it: its cost follows what is
 * returned, and a 512th of what is skipped.
 */
export class GroupedList<F, T extends GroupedItem<F>> {
  /** A group that has become empty stays until another one takes its number: most get items again. */
  readonly #groups: Group<F>[] = []
  readonly #blocks: Block<T>[] = []
  #lastBlock = 0
  #size = 0

  /** @param areSame whether two facts are those of one group */
  constructor(private readonly areSame: (one: F, other: F) => boolean) {}

  get size(): number {
    return this.#size
  }

  /** The oldest item, or undefined where there is none. */
  get first(): T | undefined {
    const [block] = this.#blocks
    return block?.items[block.start]
  }

  /** The groups that have items. */
  groups(): Group<F>[] {
    return this.#matching(() => true)
  }

  add(item: T, facts: F): T {
    item.group = this.#groupOf(facts)
    item.block = this.#openBlock()
    item.slot = item.block.items.length
    this.#insert(item)
    return item
  }

  remove(item: T): void {
    const { block, slot } = item
    block.items[slot] = undefined
    while (block.start < block.items.length && block.items[block.start] === undefined) block.start += 1
    block.size -= 1
    this.#size -= 1
    this.#count(item, -1)
    if (block.size === 0) this.#blocks.splice(this.#blocks.indexOf(block), 1)
  }

  /** Inserts an item that was removed where it was. */
  restore(item: T): void {
    const { block, slot } = item
    block.start = Math.min(block.start, slot)
    if (block.size === 0) {
      const next = this.#blocks.findIndex(({ number }) => number > block.number)
      this.#blocks.splice(next < 0 ? this.#blocks.length : next, 0, block)
    }
    item.group = this.#groupOf(item.group.facts)
    this.#insert(item)
  }

  move(item: T, facts: F): void {
    const group = this.#groupOf(facts)
    if (group === item.group) return
    this.#count(item, -1)
    item.group = group
    this.#count(item, 1)
  }

  /** The items of the groups that match, newest first. */
  page(matches: (facts: F) => boolean, offset: number, limit: number): { items: T[]; total: number } {
    let total = 0
    for (const { size } of this.#matching(matches)) total += size
    const items: T[] = []
    const count = Math.min(limit, total - offset)
    if (count > 0)
      for (const item of this.newestFirst(matches, offset)) {
        items.push(item)
        if (items.length === count) break
      }
    return { items, total }
  }

  /** The items of the groups that match, newest first, without the first `offset` of them. */
  *newestFirst(matches: (facts: F) => boolean, offset = 0): Generator<T> {
    const groups = this.#matching(matches)
    let skipped = 0
    for (const block of this.#blocks.toReversed()) {
      const count = countIn(block, groups)
      if (skipped + count <= offset) {
        skipped += count
        continue
      }
      for (let slot = block.items.length - 1; slot >= 0; slot -= 1) {
        const item = block.items[slot]
        if (item === undefined || !matches(item.group.facts)) continue
        if (skipped < offset) skipped += 1
        else yield item
      }
    }
  }

  /** The oldest item of the groups that match, or undefined where there is none. */
  oldest(matches: (facts: F) => boolean): T | undefined {
    const groups = this.#matching(matches)
    if (groups.length === 0) return undefined
    const block = this.#blocks.find((block) => countIn(block, groups) > 0)
    if (block === undefined) return undefined
    for (let slot = block.start; slot < block.items.length; slot += 1) {
      const item = block.items[slot]
      if (item !== undefined && matches(item.group.facts)) return item
    }
    return undefined
  }

  /** All items, oldest first. */
  *values(): Generator<T> {
    for (const { items } of [...this.#blocks]) for (const item of items) if (item !== undefined) yield item
  }

  #groupOf(facts: F): Group<F> {
    let empty: Group<F> | undefined
    for (const group of this.#groups) {
      if (this.areSame(group.facts, facts)) return group
      if (group.size === 0) empty = group
    }
    const group: Group<F> = { facts, number: empty?.number ?? this.#groups.length, size: 0 }
    this.#groups[group.number] = group
    return group
  }

  /** Counts an item, or no longer. */
  #count({ group, block }: T, by: 1 | -1): void {
    group.size += by
    block.counts[group.number] = (block.counts[group.number] ?? 0) + by
  }

  #insert(item: T): void {
    item.block.items[item.slot] = item
    item.block.size += 1
    this.#size += 1
    this.#count(item, 1)
  }

  #openBlock(): Block<T> {
    const last = this.#blocks.at(-1)
    if (last !== undefined && last.items.length < BLOCK_SIZE) return last
    this.#lastBlock += 1
    const block: Block<T> = { number: this.#lastBlock, items: [], counts: [], start: 0, size: 0 }
    this.#blocks.push(block)
    return block
  }

  #matching(matches: (facts: F) => boolean): Group<F>[] {
    return this.#groups.filter(({ facts, size }) => size > 0 && matches(facts))
  }
}

const countIn = <F>({ counts }: Block<unknown>, groups: readonly Group<F>[]): number => {
  let sum = 0
  for (const { number } of groups) sum += counts[number] ?? 0
  return sum
}
