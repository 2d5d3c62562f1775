import { addCents, type Cents, noMoney, subtractCents } from "@tilinta/contract/vocabulary/money"

/** Gross, fee and net of charges as they were asked for, and what of it was given back to payers. */
interface Sums {
  grossCents: Cents
  feeCents: Cents
  refundedCents: Cents
  /** The fee's share of what was given back. */
  refundedFeeCents: Cents
}

export interface KeptSums {
  grossCents: Cents
  feeCents: Cents
  netCents: Cents
}

/** Paid amounts less refunds, so that gross − fee = net on every screen. */
export function keptOf({ grossCents, feeCents, refundedCents, refundedFeeCents }: Sums): KeptSums {
  const gross = subtractCents(grossCents, refundedCents)
  const fee = subtractCents(feeCents, refundedFeeCents)
  return { grossCents: gross, feeCents: fee, netCents: subtractCents(gross, fee) }
}

export function addedUp(parts: readonly Sums[]): Sums {
  const sum = (pick: (part: Sums) => Cents) => parts.reduce((cents, part) => addCents(cents, pick(part)), noMoney)
  return {
    grossCents: sum(({ grossCents }) => grossCents),
    feeCents: sum(({ feeCents }) => feeCents),
    refundedCents: sum(({ refundedCents }) => refundedCents),
    refundedFeeCents: sum(({ refundedFeeCents }) => refundedFeeCents),
  }
}

/** A cache of recently used keys: at least the last `most / 2`, never more than `most`. */
export interface RecentMap<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/** Two generations: when the young one is full, the old one is dropped as a whole, so nothing has to be sorted. */
export function createRecentMap<Key, Value>(most: number): RecentMap<Key, Value> {
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()

  function set(key: Key, value: Value): void {
    if (young.size >= most / 2 && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const elder = old.get(key)
      if (elder !== undefined) set(key, elder)
      return elder
    },
    set,
  }
}
