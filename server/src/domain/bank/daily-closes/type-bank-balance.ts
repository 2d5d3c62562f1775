import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { type Cents, reaisFromCents } from "#kit/money"
import { type Psp, provenTime } from "#psp/psp"
import { type BankBalance, unexplainedCents } from "./bank-balance.ts"
import { findBankBalances, readOurMoneyOn, saveBankBalance } from "./bank-balances-repository.ts"
import { boundsOf } from "./daily-close.ts"
import { lockClose } from "./daily-closes-repository.ts"

interface Wish {
  id: string
  admin: Actor
  bankCents: Cents
}

/** The bank's own statement at the day's end, where its API tells no balance. A new figure replaces the one before. */
export async function typeBankBalance(deps: { db: Db; psp: Psp; clock: Clock }, wish: Wish): Promise<void> {
  const now = provenTime(deps)
  await deps.db.transaction().execute((tx) => type(tx, wish, now))
}

async function type(tx: Tx, { id, admin, bankCents }: Wish, now: Date): Promise<void> {
  const close = isId(id) ? await lockClose(tx, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const { day, provider } = close
  const { to } = boundsOf(day)
  if (to > now) throw new DomainError("daily_close_too_early")
  const ours = await readOurMoneyOn(tx, provider, day)
  const before = (await findBankBalances(tx, [id])).get(id)
  const differenceCents = unexplainedCents(bankCents, [ours])
  await saveBankBalance(tx, id, { at: to, bankCents, ourCents: ours.clearingCents, differenceCents, typedBy: admin.id })
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "daily_close.balance_typed",
    entity: "daily_close",
    entityId: id,
    before: before === undefined ? null : factsOf(before),
    after: { day, provider, bank: reaisFromCents(bankCents), difference: reaisFromCents(differenceCents) },
  })
}

function factsOf({ bankCents, differenceCents }: BankBalance) {
  return { bank: reaisFromCents(bankCents), difference: reaisFromCents(differenceCents) }
}
