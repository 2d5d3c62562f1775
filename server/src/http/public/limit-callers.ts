import type { FastifyInstance } from "fastify"
import { createTokenBuckets } from "#http/token-buckets"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"

/** A payer asks every three seconds, and once more whenever the page wakes up. */
const perTransaction = { burst: 60, perSecond: 10, keys: 20_000 }
/** Eight hundred payers behind one address, and a whole fair that opens a page at once. */
const perAddress = { burst: 1_500, perSecond: 300, keys: 20_000 }

/**
 * Against floods, before a body is read or the database asked. The first limit names the payment too, so that
 * somebody's abuse takes nothing from the neighbours behind the same address.
 */
export function limitCallers(scope: FastifyInstance, { clock }: { clock: Clock }): void {
  const askFor = createTokenBuckets(perTransaction, clock)
  const askFrom = createTokenBuckets(perAddress, clock)

  scope.addHook<{ Params: { transactionId?: string } }>("onRequest", (request, _reply, done) => {
    // Read once: behind a proxy it is worked out anew each time.
    const { ip } = request
    const { transactionId } = request.params
    const forTransaction = transactionId === undefined ? 0 : askFor(`${ip} ${transactionId.slice(0, 40)}`)
    const retryAfterSeconds = Math.max(forTransaction, isThisMachine(ip) ? 0 : askFrom(ip))
    if (retryAfterSeconds > 0) done(new DomainError("too_many_requests", { retryAfterSeconds }))
    else done()
  })
}

/** Perhaps a proxy that TRUSTED_PROXIES doesn't name: then this one address is everybody. */
function isThisMachine(ip: string): boolean {
  return ip === "::1" || /^(::ffff:)?127\./.test(ip)
}
