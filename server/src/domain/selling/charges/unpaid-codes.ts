import { createRecentMap } from "#kit/recent-map"

/** The last code of each payer who may not have paid it yet, as this process made or found it. */
export interface UnpaidCodes {
  find(payer: string): string | undefined
  remember(payer: string, chargeId: string): void
  /** Waits for the payer's request that is under way, so that two at once get one code. */
  afterOthers<Result>(payer: string, work: () => Promise<Result>): Promise<Result>
}

const remembered = 20_000

export function createUnpaidCodes(): UnpaidCodes {
  const chargeIds = createRecentMap<string, string>(remembered)
  const underWay = new Map<string, Promise<unknown>>()

  return {
    find: (payer) => chargeIds.get(payer),
    remember: (payer, chargeId) => chargeIds.set(payer, chargeId),
    async afterOthers(payer, work) {
      const before = underWay.get(payer)
      if (before !== undefined) await Promise.allSettled([before])
      const own = work()
      underWay.set(payer, own)
      try {
        return await own
      } finally {
        if (underWay.get(payer) === own) underWay.delete(payer)
      }
    },
  }
}
