/** Group of a list: the facts that its items share, and how many there are. */
interface Group<F> {
  readonly facts: F
  /** Number among the groups that there are; one that is empty leaves it to another. */
  readonly number: number
  size: number
}

/** Item of a grouped list. The list writes these fields. */
export interface GroupedItem<F> {
  group: Group<F>
  block: Block
  slot: number
}

/** Neighbours in the list, with the number of items of each group among them. */
interface Block {
  /** Blocks stand in the order of their numbers. */
  readonly number: number
  readonly items: (GroupedItem<unknown> | undefined)[]
  readonly counts: number[]
  /** There is no item before this slot. */
  start: number
  size: number
}

/**
 * Order-statistic list: items in the order in which they were added, newest last, each in a group. Blocks of 512 count
 * their items by group, so that a page of some groups skips the blocks without any of it: its cost follows what is
 * returned, and a 512th of what is skipped.
 */
export interface GroupedList<F, T extends GroupedItem<F>> {
  readonly size: number
  /** The oldest item; undefined: there is none. */
  readonly first: T | undefined
  /** The groups that have items. */
  groups(): Iterable<Group<F>>
  /** Appends a copy of an item, which is the one in the list. */
  add(item: Omit<T, keyof GroupedItem<F>>, facts: F): T
  remove(item: T): void
  /** Inserts an item that was removed where it was. */
  restore(item: T): void
  /** Changes the group of an item. */
  move(item: T, facts: F): void
  /** The items of the groups that match, newest first. */
  page(matches: (facts: F) => boolean, offset: number, limit: number): { items: T[]; total: number }
  /** The oldest item of the groups that match; undefined: there is none. */
  oldest(matches: (facts: F) => boolean): T | undefined
  /** The items of the groups that match, one after the other. */
  newestFirst(matches: (facts: F) => boolean): Generator<T>
  /** All items, oldest first. */
  values(): Generator<T>
}

/** Negative where the first item is older than the other, for sorting. */
export const comparePlaces = <F>(one: GroupedItem<F>, other: GroupedItem<F>): number =>
  one.block.number - other.block.number || one.slot - other.slot

const BLOCK_SIZE = 512

/** @param nameOf a text that tells the facts of two groups apart */
export const createGroupedList = <F, T extends GroupedItem<F>>(
  nameOf: (facts: F) => string,
): GroupedList<F, T> => {
  const groups = new Map<string, Group<F>>()
  const freeNumbers: number[] = []
  const blocks: Block[] = []
  let added = 0
  let size = 0

  const groupOf = (facts: F): Group<F> => {
    const name = nameOf(facts)
    const known = groups.get(name)
    if (known !== undefined) return known
    const group: Group<F> = { facts, number: freeNumbers.pop() ?? groups.size, size: 0 }
    groups.set(name, group)
    return group
  }

  /** Counts an item, or no longer; the last of a group takes the group with it. */
  const count = ({ group, block }: GroupedItem<F>, by: 1 | -1): void => {
    group.size += by
    block.counts[group.number] = (block.counts[group.number] ?? 0) + by
    if (group.size > 0) return
    groups.delete(nameOf(group.facts))
    freeNumbers.push(group.number)
  }

  const insert = (item: T): void => {
    item.block.items[item.slot] = item
    item.block.size += 1
    size += 1
    count(item, 1)
  }

  const openBlock = (): Block => {
    const last = blocks.at(-1)
    if (last !== undefined && last.items.length < BLOCK_SIZE) return last
    added += 1
    const block: Block = { number: added, items: [], counts: [], start: 0, size: 0 }
    blocks.push(block)
    return block
  }

  const matching = (matches: (facts: F) => boolean): Set<Group<F>> => {
    const wanted = new Set<Group<F>>()
    for (const group of groups.values()) if (matches(group.facts)) wanted.add(group)
    return wanted
  }

  const countIn = ({ counts }: Block, wanted: ReadonlySet<Group<F>>): number => {
    let sum = 0
    for (const { number } of wanted) sum += counts[number] ?? 0
    return sum
  }

  return {
    get size() {
      return size
    },
    get first() {
      const block = blocks[0]
      return block?.items[block.start] as T | undefined
    },
    groups: () => groups.values(),
    add: (given, facts) => {
      const block = openBlock()
      const item = { group: groupOf(facts), block, slot: block.items.length, ...given } as unknown as T
      insert(item)
      return item
    },
    remove: (item) => {
      const { block, slot } = item
      block.items[slot] = undefined
      while (block.start < block.items.length && block.items[block.start] === undefined) block.start += 1
      block.size -= 1
      size -= 1
      count(item, -1)
      if (block.size === 0) blocks.splice(blocks.indexOf(block), 1)
    },
    restore: (item) => {
      const { block, slot } = item
      block.start = Math.min(block.start, slot)
      if (block.size === 0) {
        const next = blocks.findIndex(({ number }) => number > block.number)
        blocks.splice(next < 0 ? blocks.length : next, 0, block)
      }
      item.group = groupOf(item.group.facts)
      insert(item)
    },
    move: (item, facts) => {
      const group = groupOf(facts)
      if (group === item.group) return
      count(item, -1)
      item.group = group
      count(item, 1)
    },
    page: (matches, offset, limit) => {
      const wanted = matching(matches)
      let total = 0
      for (const { size: its } of wanted) total += its
      const items: T[] = []
      const end = Math.min(limit, total - offset)
      let skipped = offset
      for (let index = blocks.length - 1; items.length < end; index -= 1) {
        const block = blocks[index] as Block
        const found = countIn(block, wanted)
        if (found <= skipped) {
          skipped -= found
          continue
        }
        for (let slot = block.items.length - 1; slot >= 0 && items.length < end; slot -= 1) {
          const item = block.items[slot] as T | undefined
          if (item === undefined || !wanted.has(item.group)) continue
          if (skipped > 0) skipped -= 1
          else items.push(item)
        }
      }
      return { items, total }
    },
    oldest: (matches) => {
      const wanted = matching(matches)
      if (wanted.size === 0) return undefined
      const block = blocks.find((one) => countIn(one, wanted) > 0)
      for (let slot = block?.start ?? 0; slot < (block?.items.length ?? 0); slot += 1) {
        const item = block?.items[slot] as T | undefined
        if (item !== undefined && wanted.has(item.group)) return item
      }
      return undefined
    },
    *newestFirst(matches) {
      const wanted = matching(matches)
      for (const { items } of blocks.toReversed())
        for (let slot = items.length - 1; slot >= 0; slot -= 1) {
          const item = items[slot] as T | undefined
          if (item !== undefined && wanted.has(item.group)) yield item
        }
    },
    *values() {
      for (const { items } of [...blocks]) for (const item of items) if (item !== undefined) yield item as T
    },
  }
}
