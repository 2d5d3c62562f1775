import { createTokenBuckets } from "#http/token-buckets"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"

/** A person reports a page once; an office or a carrier's shared address a few times. */
const perPageAndAddress = { burst: 5, perSecond: 1 / 600, keys: 20_000 }
const perAddress = { burst: 60, perSecond: 1 / 30, keys: 20_000 }
/** However many addresses a script has. */
const perPage = { burst: 100, perSecond: 1 / 10, keys: 20_000 }

export interface ReportLimits {
  /** @throws too_many_requests */
  take(network: string, link: string): void
}

/** Rate limits of reports alone; the API and the page without script share one count. This machine is limited, too. */
export function createReportLimits(clock: Clock): ReportLimits {
  const pagesOfAddresses = createTokenBuckets(perPageAndAddress, clock)
  const addresses = createTokenBuckets(perAddress, clock)
  const pages = createTokenBuckets(perPage, clock)

  return {
    take(network, link) {
      const page = link.slice(0, 200)
      const asked = [
        pagesOfAddresses.takeFrom(pagesOfAddresses.of(`${network} ${page}`)),
        addresses.takeFrom(addresses.of(network)),
        pages.takeFrom(pages.of(page)),
      ]
      const retryAfterSeconds = Math.max(...asked)
      if (retryAfterSeconds > 0) throw new DomainError("too_many_requests", { retryAfterSeconds })
    },
  }
}
