import { type Cents, noMoney, reaisText, subtractCents } from "@tilinta/contract/vocabulary/money"
import { brokenRule, DomainError } from "#kit/domain-error"
import { type HoldFacts, holding } from "./hold-withdrawals.ts"
import { type Withdrawal, withdrawalOwnedBy } from "./withdrawal.ts"

/** A request as received: the withdrawal that it becomes if accepted. */
export interface Requested {
  withdrawal: Withdrawal
  /** Null without an Idempotency-Key. */
  claim: { key: string; requestHash: Buffer } | null
}

/** The first request of a key, and the withdrawal that it created. */
export interface Claimed {
  requestHash: Buffer
  withdrawal: Withdrawal | null
}

/** Facts that stay true until the transaction ends, because their rows are locked. */
export interface Standing {
  isEnabled: boolean
  minCents: Cents
  inactiveSellers: ReadonlySet<string>
  /** Since when they are. */
  frozenSellers: ReadonlyMap<string, Date>
  /** Available balance by seller. */
  available: ReadonlyMap<string, Cents>
  /** Ids of requests by an API key whose destination no withdrawal of the browser has reached. */
  unproven: ReadonlySet<string>
  /** Refusals of requests to a destination never paid before, whose session must step up first. */
  unconfirmed: ReadonlyMap<string, DomainError>
  /** Ids of requests to the CPF or CNPJ of somebody else, where protection is strict. */
  notTheirs: ReadonlySet<string>
  holds: HoldFacts
  /** Earlier claims by `claimName`. */
  claims: ReadonlyMap<string, Claimed>
}

export type RequestOutcome = Withdrawal | DomainError

export function claimName(ownerId: string, key: string): string {
  return `${ownerId} ${key}`
}

/** Decides in order of arrival, each after deducting earlier ones. A refused request takes nothing from the next. */
export function decideRequests(standing: Standing, requests: readonly Requested[]): RequestOutcome[] {
  const available = new Map(standing.available)
  const claims = new Map(standing.claims)
  const hold = holding(standing.holds)

  function decide({ withdrawal, claim }: Requested): Withdrawal {
    const { sellerId, amountCents } = withdrawal
    const first = claim === null ? undefined : claims.get(claimName(sellerId, claim.key))
    if (first !== undefined && claim !== null) return repeated(first, claim.requestHash, sellerId)

    checkRules(standing, withdrawal)
    const left = subtractCents(available.get(sellerId) ?? noMoney, amountCents)
    if (left < noMoney) throw insufficientBalance()
    available.set(sellerId, left)
    const held = hold(withdrawal)
    if (claim !== null) claims.set(claimName(sellerId, claim.key), { requestHash: claim.requestHash, withdrawal: held })
    return held
  }

  return requests.map((request) => outcomeOf(() => decide(request)))
}

function repeated(first: Claimed, requestHash: Buffer, sellerId: string): Withdrawal {
  if (!first.requestHash.equals(requestHash)) throw new DomainError("idempotency_key_reused")
  return withdrawalOwnedBy(first.withdrawal, sellerId)
}

function checkRules(standing: Standing, { id, sellerId, amountCents }: Withdrawal): void {
  const { isEnabled, minCents, inactiveSellers, frozenSellers, notTheirs, unproven, unconfirmed } = standing
  if (!isEnabled) throw new DomainError("withdrawals_disabled")
  if (inactiveSellers.has(sellerId)) throw new DomainError("account_disabled")
  if (frozenSellers.has(sellerId)) throw new DomainError("withdrawals_frozen")
  if (unproven.has(id)) throw new DomainError("withdrawal_destination_unproven")
  if (notTheirs.has(id)) throw keyNotTheirs()
  if (amountCents < minCents) throw brokenRule("amount", `O valor mínimo do saque é ${reaisText(minCents)}`)
  const refusal = unconfirmed.get(id)
  if (refusal !== undefined) throw refusal
}

function keyNotTheirs(): DomainError {
  const message = "Esta chave não é do CPF ou CNPJ do seu cadastro."
  return new DomainError("pix_key_not_yours", { errors: [{ path: "pixKey", message }] })
}

export function insufficientBalance(cause?: unknown): DomainError {
  const errors = [{ path: "amount", message: "Saldo insuficiente" }]
  return new DomainError("insufficient_balance", { errors, cause })
}

function outcomeOf(decide: () => Withdrawal): RequestOutcome {
  try {
    return decide()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
