import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/audit/audit-entry"
import { recordAudit } from "#domain/audit/record-audit"
import { claimIdempotencyKey } from "#domain/idempotency/claim-idempotency-key"
import { readMinWithdrawalCents, readWithdrawalsEnabled } from "#domain/settings/read-setting"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { type Cents, noMoney, reaisText } from "#kit/money"
import { isBelowFloor } from "#ledger/below-floor"
import { postTransactions } from "#ledger/post-transactions"
import { notifyAdmins } from "./notify-admins.ts"
import { type Destination, ownedBy, payoutIdOf, type Withdrawal } from "./withdrawal.ts"
import { auditOf } from "./withdrawal-audit.ts"
import { requestPostings } from "./withdrawal-postings.ts"
import { findWithdrawal, insertWithdrawal } from "./withdrawals-repository.ts"

export interface WithdrawalInput {
  seller: Actor
  amountCents: Cents
  destination: Destination
  /** The same key with the same input answers the withdrawal that the first one made. */
  idempotencyKey: string | null
}

/**
 * Takes the money out of the available balance at once. The ledger's floor is what refuses too much:
 * however many ask at the same moment, no more is held than there was.
 */
export async function requestWithdrawal(deps: { db: Db; clock: Clock }, input: WithdrawalInput): Promise<Withdrawal> {
  if (input.amountCents <= noMoney) throw brokenRule("amount", "Valor deve ser maior que zero")
  const id = newId()
  const withdrawal: Withdrawal = {
    id,
    sellerId: input.seller.id,
    amountCents: input.amountCents,
    destination: input.destination,
    payoutId: input.destination.method === "pix" ? payoutIdOf(id) : null,
    status: "pending",
    isPaidByHand: input.destination.method === "bank_transfer",
    provider: null,
    endToEndId: null,
    adminNotes: "",
    failureReason: null,
    attempts: 0,
    createdAt: deps.clock.now(),
    approvedAt: null,
    processedAt: null,
  }
  try {
    return await deps.db.transaction().execute((tx) => storeWithdrawal(tx, withdrawal, input))
  } catch (error) {
    if (!isBelowFloor(error)) throw error
    const errors = [{ path: "amount", message: "Saldo insuficiente" }]
    throw new DomainError("insufficient_balance", { errors, cause: error })
  }
}

async function storeWithdrawal(tx: Tx, withdrawal: Withdrawal, input: WithdrawalInput): Promise<Withdrawal> {
  const { amountCents, destination } = input
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: withdrawal.sellerId,
    key: input.idempotencyKey,
    request: { withdrawal: { amountCents, destination } },
    resourceId: withdrawal.id,
  })
  if (firstId !== withdrawal.id) return ownedBy(await findWithdrawal(tx, firstId), withdrawal.sellerId)
  await checkSettings(tx, amountCents)
  await insertWithdrawal(tx, withdrawal)
  await postTransactions(tx, [requestPostings(withdrawal, withdrawal.createdAt)])
  await notifyAdmins(tx, withdrawal)
  await recordAudit(tx, auditOf("withdrawal.requested", null, withdrawal, input.seller, withdrawal.createdAt))
  return withdrawal
}

async function checkSettings(db: Db, amountCents: Cents): Promise<void> {
  if (!(await readWithdrawalsEnabled(db))) throw new DomainError("withdrawals_disabled")
  const minCents = await readMinWithdrawalCents(db)
  if (amountCents < minCents) throw brokenRule("amount", `O valor mínimo do saque é ${reaisText(minCents)}`)
}
