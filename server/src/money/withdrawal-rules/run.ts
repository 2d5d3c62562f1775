import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { type Clock, timesOf } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { sellerAvailable } from "#ledger/accounts"
import { isBelowFloor, lockBalances } from "#ledger/post-transactions"
import { readWithdrawable } from "#money/reserves/reads"
import { findFailedSince, getWithdrawal } from "#money/withdrawals/reads"
import { storeRequest } from "#money/withdrawals/request"
import { lockPerson } from "#people/users/change-user"
import { actOnOrder, requireAuthentic } from "#platform/order-macs/macs"
import { readWithdrawalRules, type WithdrawalRules } from "#platform/settings/reads"
import { getTrusted, pauseRule, requireProven } from "./manage.ts"
import { findDueSellers } from "./reads.ts"
import { nextMorning, ruleOrder, type WithdrawalRule } from "./rules.ts"
import { lockRule, saveRule } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
  log: Logger
}

/**
 * Requests what is due, one rule a transaction: the request and the rule's next morning are written together, so that neither
 * a crash nor a second node requests one morning twice.
 */
export async function withdrawByRule({ db, clock, protection, log }: Deps): Promise<void> {
  const times = timesOf(clock)
  for (const sellerId of await findDueSellers(db, times.due)) {
    try {
      await actOnOrder({ db, clock }, (tx) => withdrawOnce(tx, sellerId, { ...times, protection }))
    } catch (error) {
      const failure = failureIn(error)
      if (failure === null) throw error
      log.info({ sellerId, err: error }, "a rule's withdrawal failed")
      await db.transaction().execute((tx) => pauseRule(tx, { sellerId, because: "failed", failure }, times.now))
    }
  }
}

function failureIn(error: unknown): string | null {
  if (error instanceof DomainError) return error.code === "order_not_authentic" ? notAsChosen : error.shownMessage
  return isBelowFloor(error) ? "Saldo insuficiente" : null
}

const notAsChosen = "Não é como você o escolheu. Escolha de novo, ou fale com quem opera a plataforma."

interface Morning {
  now: Date
  due: Date
  protection: Protection
}

/** Locks the seller before the rule, as a freeze does. */
async function withdrawOnce(tx: Tx, sellerId: string, { now, due, protection }: Morning): Promise<void> {
  await lockPerson(tx, sellerId)
  const rule = await lockRule(tx, sellerId)
  if (rule === null || rule.pausedBecause !== null || rule.nextAt > due) return
  const next = { ...rule, nextAt: nextMorning(rule.every, due) }
  const rules = await readWithdrawalRules(tx, protection)
  if (!rules.isEnabled) return saveRule(tx, next)
  await refuseAfterFailure(tx, rule)
  const availableCents = await readAvailable(tx, sellerId, rules)
  if (availableCents <= rule.aboveCents || availableCents < rules.minCents) return saveRule(tx, next)
  const used = await getTrusted(tx, { id: rule.destinationId, sellerId })
  const { destination } = used
  requireAuthentic(ruleOrder(rule, destination), rule.mac)
  await requireProven(tx, used, { now, protection })
  const isTooMuch = destination.method === "pix" && rules.maxPixCents > noMoney && availableCents > rules.maxPixCents
  const { id } = await storeRequest(
    tx,
    {
      seller: { id: sellerId, address: null },
      amountCents: isTooMuch ? rules.maxPixCents : availableCents,
      destination,
      // Nobody is there to step up, so it goes where one was paid before; all limits count.
      proof: { userId: sellerId, isFresh: false, isProgram: true, protection },
      idempotencyKey: null,
    },
    now,
  )
  await saveRule(tx, { ...next, lastWithdrawalId: id })
}

async function readAvailable(tx: Tx, sellerId: string, { reserves }: WithdrawalRules): Promise<Cents> {
  const account = sellerAvailable(sellerId)
  const balanceCents = (await lockBalances(tx, [account])).get(account) ?? noMoney
  return readWithdrawable(tx, { sellerId, balanceCents }, reserves)
}

async function refuseAfterFailure(tx: Tx, { sellerId, lastWithdrawalId }: WithdrawalRule): Promise<void> {
  if (lastWithdrawalId === null) return
  const { destination, createdAt } = await getWithdrawal(tx, { id: lastWithdrawalId, sellerId })
  // One that was requested before the last may have failed after it.
  const failed = await findFailedSince(tx, { sellerId, destination, since: createdAt })
  if (failed === null) return
  throw new DomainError("withdrawal_not_paid", {
    message: failed.returnReason ?? failed.failureReason ?? "Um saque para o mesmo destino não foi pago.",
  })
}
