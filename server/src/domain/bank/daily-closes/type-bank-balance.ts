import { type Cents, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { type Psp, provenTime } from "#psp/psp"
import { type BankBalance, unexplainedCents } from "./bank-balance.ts"
import { findBankBalances, readOurMoneyOn, saveBankBalance } from "./bank-balances-repository.ts"
import { boundsOf, type DailyClose } from "./daily-close.ts"
import { lockClose } from "./daily-closes-repository.ts"
import { alarmOfBalance, notifyAdminsOfBalance } from "./notify-admins-of-close.ts"

interface Wish {
  id: string
  admin: Actor
  bankCents: Cents
}

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

/** The bank's own statement at the day's end, where its API tells no balance. A new figure replaces the one before. */
export async function typeBankBalance(deps: Deps, wish: Wish): Promise<void> {
  const { db, psp, log } = deps
  const now = provenTime(deps)
  const bank = { name: psp.name, label: psp.label }
  const typed = await db.transaction().execute((tx) => type(tx, wish, { now, bank }))
  if (typed.balance.differenceCents !== noMoney) alarmOfBalance(log, typed)
}

async function type(
  tx: Tx,
  { id, admin, bankCents }: Wish,
  { now, bank }: { now: Date; bank: Pick<Psp, "name" | "label"> },
): Promise<{ close: DailyClose; balance: BankBalance }> {
  const close = isId(id) ? await lockClose(tx, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const { day, provider } = close
  const { to } = boundsOf(day)
  if (to > now) throw new DomainError("daily_close_too_early")
  const ours = await readOurMoneyOn(tx, provider, day)
  const before = (await findBankBalances(tx, [id])).get(id)
  const differenceCents = unexplainedCents(bankCents, [ours])
  const figures = { at: to, bankCents, ourCents: ours.clearingCents, differenceCents }
  const balance = { ...figures, typedBy: admin.id, readAgainUntil: null }
  await saveBankBalance(tx, id, balance)
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "daily_close.balance_typed",
    entity: "daily_close",
    entityId: id,
    before: before === undefined ? null : factsOf(before),
    after: { day, provider, bank: reaisFromCents(bankCents), difference: reaisFromCents(differenceCents) },
  })
  const providerLabel = provider === bank.name ? bank.label : provider
  if (differenceCents !== noMoney) await notifyAdminsOfBalance(tx, { close, balance }, { providerLabel, now })
  return { close, balance }
}

function factsOf({ bankCents, differenceCents }: BankBalance) {
  return { bank: reaisFromCents(bankCents), difference: reaisFromCents(differenceCents) }
}
