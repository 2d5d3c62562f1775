import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { type ListedPayout, type Psp, PspError } from "#psp/psp"
import type { Withdrawal } from "./withdrawal.ts"
import { creditCameBack } from "./withdrawal-came-back.ts"
import { findByPayoutIds, lockWithdrawal } from "./withdrawals-repository.ts"

interface ReturnDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

type Reported = Pick<ListedPayout, "payoutId" | "amountCents" | "returned">

export const returnedByReceiver = "Quem recebeu o Pix devolveu o valor."

/** Credits sellers with what receivers sent back. Returns the payouts that were credited now. */
export async function recordReturnedPayouts<Payout extends Reported>(
  deps: ReturnDeps,
  reported: readonly Payout[],
): Promise<Payout[]> {
  const returned = new Map(
    reported.flatMap((payout) => (payout.payoutId && payout.returned ? [[payout.payoutId, payout] as const] : [])),
  )
  const ours = await findByPayoutIds(deps.db, [...returned.keys()])
  const credited: Payout[] = []
  for (const withdrawal of ours) {
    const payout = returned.get(withdrawal.payoutId ?? "")
    if (payout !== undefined && (await credit(deps, withdrawal, payout))) credited.push(payout)
  }
  return credited
}

/** A webhook said that these came back. Returns those that could not be asked about. */
export async function askAboutReturnedPayouts(deps: ReturnDeps, payoutIds: readonly string[]): Promise<Set<string>> {
  const failed = new Set<string>()
  const ours = await findByPayoutIds(deps.db, [...payoutIds])
  for (const { payoutId, status } of ours) {
    if (payoutId === null || status !== "completed") continue
    try {
      const payout = await deps.psp.payouts?.find(payoutId)
      if (payout) await recordReturnedPayouts(deps, [{ ...payout, payoutId }])
    } catch (error) {
      if (!(error instanceof PspError)) throw error
      failed.add(payoutId)
    }
  }
  return failed
}

/** False when nothing moved. */
async function credit(deps: ReturnDeps, withdrawal: Withdrawal, payout: Reported): Promise<boolean> {
  const { db, psp, clock, log } = deps
  const { id, amountCents, status, provider } = withdrawal
  const returnedCents = payout.returned?.amountCents ?? amountCents
  if (status !== "completed" || provider !== psp.name || returnedCents <= withdrawal.returnedCents) return false
  if (returnedCents > amountCents || (payout.amountCents ?? amountCents) !== amountCents) {
    log.error({ alarm: "payout_return_mismatch", withdrawalId: id }, "more came back of a payout than was sent")
    return false
  }
  const now = clock.now()
  const isNew = await db.transaction().execute((tx) => creditOnce(tx, { id, returnedCents }, now))
  if (isNew) log.warn({ withdrawalId: id, returnedCents }, "a payout came back from its receiver")
  return isNew
}

/** The amount says how much has come back so far, so two reports of it at once credit it once. */
async function creditOnce(tx: Tx, { id, returnedCents }: { id: string; returnedCents: Cents }, now: Date) {
  const paid = await lockWithdrawal(tx, id)
  if (paid?.status !== "completed" || returnedCents <= paid.returnedCents) return false
  await creditCameBack(tx, paid, { returnedCents, reason: returnedByReceiver, actor: null }, now)
  return true
}
