import type { CreateChargeInput } from "#domain/selling/charges/create-charge"
import { type Bucket, createTokenBuckets } from "#http/token-buckets"
import { networkOf } from "#kit/client-network"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"

/** A person asks for one Pix, and a few more after a mistake. */
const perPageAndAddress = { burst: 30, perSecond: 1, keys: 50_000 }
/** A carrier's shared address is many people. */
const perAddress = { burst: 100, perSecond: 10, keys: 20_000 }
/** However many addresses a script has. The burst lets an audience in that opens a page at once. */
const perPage = { burst: 100, perSecond: 20, keys: 20_000 }

/** As fast as an API key may ask, however many keys and sessions there are. */
const perSeller = { burst: 120, perSecond: 10, keys: 20_000 }

/** The part of a creation's input that says where it comes from, and whether it may ask the bank. */
type Origin = Required<Pick<CreateChargeInput, "network" | "refuseNew">>

export interface ChargeLimits {
  of(address: string, pageId: string): Origin
  /** For charges that a seller's own system asks for, whatever the page. */
  ofSeller(sellerId: string): () => DomainError | null
}

/**
 * Rate limits of Pix creations alone, because each is a call to the bank, whose quota all sellers share. This machine is
 * limited too. Counted by this process: each of several nodes has its own.
 */
export function createChargeLimits(clock: Clock): ChargeLimits {
  const addresses = createTokenBuckets(perAddress, clock)
  const pagesOfAddresses = createTokenBuckets(perPageAndAddress, clock)
  const pages = createTokenBuckets(perPage, clock)
  const sellers = createTokenBuckets(perSeller, clock)

  function refusalOf(network: string, page: string): DomainError | null {
    const asked = [
      { buckets: addresses, bucket: addresses.of(network) },
      { buckets: pagesOfAddresses, bucket: pagesOfAddresses.of(`${network} ${page}`) },
      { buckets: pages, bucket: pages.of(page) },
    ]
    for (const [at, { buckets, bucket }] of asked.entries()) {
      const retryAfterSeconds = buckets.takeFrom(bucket)
      if (retryAfterSeconds === 0) continue
      giveBack(asked.slice(0, at))
      return new DomainError("too_many_requests", { retryAfterSeconds, message: tooManyCharges })
    }
    return null
  }

  return {
    of(address, pageId) {
      const network = networkOf(address)
      return { network, refuseNew: () => refusalOf(network, pageId.toLowerCase()) }
    },
    ofSeller: (sellerId) => () => {
      const retryAfterSeconds = sellers.takeFrom(sellers.of(sellerId))
      return retryAfterSeconds === 0
        ? null
        : new DomainError("too_many_requests", { retryAfterSeconds, message: tooManyCharges })
    },
  }
}

const tooManyCharges =
  "Muitos pedidos de Pix ao mesmo tempo. Nada foi cobrado: aguarde alguns segundos e tente de novo."

type Taken = { buckets: { giveBackTo(bucket: Bucket): void }; bucket: Bucket }

/** One that is refused by the second limit must not use up the first, which belongs to neighbours as well. */
function giveBack(taken: readonly Taken[]): void {
  for (const { buckets, bucket } of taken) buckets.giveBackTo(bucket)
}
