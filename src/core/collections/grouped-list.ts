/** Group of a list: the facts that its items share, and how many there are. */
export interface Group<F> {
  readonly facts: F
  /** Counts groups from 0. */
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
  size: number
}

/**
 * Order-statistic list: items in the order in which they were added, newest last, each in a group. Blocks of 512 count
 * their items by group, so that a page of some groups skips the blocks without any of it: its cost follows what is
 * returned, and a 512th of what is skipped.
 */
export interface GroupedList<F, T extends GroupedItem<F>> {
  readonly size: number
  /** The groups that there are or were. */
  readonly groups: readonly Group<F>[]
  /** Appends an item. */
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
  const groups: Group<F>[] = []
  const groupsByName = new Map<string, Group<F>>()
  const blocks: Block[] = []
  let added = 0
  let size = 0

  const groupOf = (facts: F): Group<F> => {
    const name = nameOf(facts)
    const known = groupsByName.get(name)
    if (known !== undefined) return known
    const group: Group<F> = { facts, number: groups.length, size: 0 }
    groups.push(group)
    groupsByName.set(name, group)
    return group
  }

  const count = ({ group, block }: GroupedItem<F>, by: 1 | -1): void => {
    group.size += by
    block.counts[group.number] = (block.counts[group.number] ?? 0) + by
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
    const block: Block = { number: added, items: [], counts: [], size: 0 }
    blocks.push(block)
    return block
  }

  const matching = (matches: (facts: F) => boolean): Group<F>[] =>
    groups.filter((group) => group.size > 0 && matches(group.facts))

  const countIn = ({ counts }: Block, wanted: readonly Group<F>[]): number => {
    let sum = 0
    for (const { number } of wanted) sum += counts[number] ?? 0
    return sum
  }

  return {
    get size() {
      return size
    },
    groups,
    add: (given, facts) => {
      const block = openBlock()
      const item = Object.assign(given, { group: groupOf(facts), block, slot: block.items.length }) as T
      insert(item)
      return item
    },
    remove: (item) => {
      const { block, slot } = item
      block.items[slot] = undefined
      block.size -= 1
      size -= 1
      count(item, -1)
      if (block.size === 0) blocks.splice(blocks.indexOf(block), 1)
    },
    restore: (item) => {
      const { block } = item
      if (block.size === 0) {
        const next = blocks.findIndex(({ number }) => number > block.number)
        blocks.splice(next < 0 ? blocks.length : next, 0, block)
      }
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
      const total = wanted.reduce((sum, group) => sum + group.size, 0)
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
          if (item === undefined || !wanted.includes(item.group)) continue
          if (skipped > 0) skipped -= 1
          else items.push(item)
        }
      }
      return { items, total }
    },
    oldest: (matches) => {
      const wanted = matching(matches)
      if (wanted.length === 0) return undefined
      const block = blocks.find((one) => countIn(one, wanted) > 0)
      return block?.items.find((item) => item !== undefined && wanted.includes(item.group as Group<F>)) as
        | T
        | undefined
    },
    *values() {
      for (const { items } of [...blocks]) for (const item of items) if (item !== undefined) yield item as T
    },
  }
}
