import type { FastifyInstance } from "fastify"
import { type Bucket, createTokenBuckets } from "#http/token-buckets"
import { isLoopback, networkOf } from "#kit/client-network"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { createRecentMap } from "#kit/recent-map"

/**
 * A payer polls every three seconds, and once more whenever the page wakes up. Half of the keys are sure to be kept: more than
 * the payers whose polls a server can answer, so that none of them is made anew each time.
 */
const perTransaction = { burst: 60, perSecond: 10, keys: 50_000 }
/** Eight hundred payers behind one address, and a whole fair that opens a page at once. */
const perAddress = { burst: 1_500, perSecond: 300, keys: 50_000 }

/** Each address's last bucket, because most payers poll one payment again and again. */
interface Caller {
  /** Null for this machine, which may be a proxy that names no client and then stands for everybody. */
  ofAddress: Bucket | null
  lastAsked: string | undefined
  ofLastAsked: Bucket | undefined
}

/** Counts a request; the refusal when there were too many. */
export type CallerLimits = (ip: string, transactionId: string | undefined) => DomainError | undefined

/** The first limit includes the payment, so that abuse takes nothing from neighbours behind the same address. */
export function createCallerLimits(clock: Clock): CallerLimits {
  const transactions = createTokenBuckets(perTransaction, clock)
  const addresses = createTokenBuckets(perAddress, clock)
  const callers = createRecentMap<string, Caller>(perAddress.keys)

  function callerAt(ip: string): Caller {
    const known = callers.get(ip)
    if (known !== undefined) return known
    const ofAddress = isLoopback(ip) ? null : addresses.of(networkOf(ip))
    const caller = { ofAddress, lastAsked: undefined, ofLastAsked: undefined }
    callers.set(ip, caller)
    return caller
  }

  function bucketFor(caller: Caller, ip: string, transactionId: string): Bucket {
    if (caller.ofLastAsked !== undefined && caller.lastAsked === transactionId) return caller.ofLastAsked
    // Copied, because V8's slice would keep the whole address that it was cut from.
    const named = Buffer.from(transactionId).toString("utf8", 0, 40)
    const bucket = transactions.of(`${networkOf(ip)} ${named}`)
    caller.lastAsked = named
    caller.ofLastAsked = bucket
    return bucket
  }

  return (ip, transactionId) => {
    const caller = callerAt(ip)
    const { ofAddress } = caller
    const forTransaction = transactionId === undefined ? 0 : transactions.takeFrom(bucketFor(caller, ip, transactionId))
    const retryAfterSeconds = Math.max(forTransaction, ofAddress === null ? 0 : addresses.takeFrom(ofAddress))
    return retryAfterSeconds > 0 ? new DomainError("too_many_requests", { retryAfterSeconds }) : undefined
  }
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
