import type { FastifyInstance } from "fastify"
import { createTokenBuckets } from "#http/token-buckets"
import { isLoopback, networkOf } from "#kit/client-network"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"

/**
 * A payer polls every three seconds, and once more whenever the page wakes up. Half of the keys are sure to be kept: more than
 * the payers whose polls a server can answer, so that none of them is made anew each time.
 */
const perTransaction = { burst: 60, perSecond: 10, keys: 50_000 }
/** Eight hundred payers behind one address, and a whole fair that opens a page at once. */
const perAddress = { burst: 1_500, perSecond: 300, keys: 50_000 }

/** Counts a request; the refusal when there were too many. */
export type CallerLimits = (ip: string, transactionId: string | undefined) => DomainError | undefined

/** The first limit includes the payment, so that abuse takes nothing from neighbours behind the same address. */
export function createCallerLimits(clock: Clock): CallerLimits {
  const transactions = createTokenBuckets(perTransaction, clock)
  const addresses = createTokenBuckets(perAddress, clock)

  return (ip, transactionId) => {
    const network = networkOf(ip)
    const forTransaction =
      transactionId === undefined ? 0 : transactions.takeFrom(transactions.of(`${network} ${copyOf(transactionId)}`))
    // This machine may be a proxy that names no client and then stands for everybody.
    const forAddress = isLoopback(ip) ? 0 : addresses.takeFrom(addresses.of(network))
    const retryAfterSeconds = Math.max(forTransaction, forAddress)
    return retryAfterSeconds > 0 ? new DomainError("too_many_requests", { retryAfterSeconds }) : undefined
  }
}

/** V8's slice would keep the whole address that it was cut from. */
function copyOf(transactionId: string): string {
  return Buffer.from(transactionId).toString("utf8", 0, 40)
}

/** Rate limits against floods, before a body is read or the database queried. */
export function limitCallers(
  scope: FastifyInstance,
  { clock }: { clock: Clock },
  callerLimits = createCallerLimits(clock),
): void {
  scope.addHook<{ Params: { transactionId?: string } }>("onRequest", ({ ip, params }, _reply, done) => {
    done(callerLimits(ip, params.transactionId))
  })
}
