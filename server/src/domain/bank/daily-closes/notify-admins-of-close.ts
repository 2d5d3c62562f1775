import type { Tx } from "#db/transaction"
import { listActiveAdmins } from "#domain/people/users/list-active-admins"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import type { Logger } from "#kit/log"
import type { BankBalance } from "./bank-balance.ts"
import type { DailyClose } from "./daily-close.ts"

interface Told {
  providerLabel: string
  now: Date
}

/** One mail per active admin and number of differences, so an unchanged day causes no further mail. */
export async function notifyAdminsOfClose(tx: Tx, close: DailyClose, { providerLabel, now }: Told): Promise<void> {
  const { id, day, differenceCount } = close
  if (differenceCount === 0) return
  const content = {
    kind: "daily_close_differs",
    closeId: id,
    day,
    provider: providerLabel,
    count: differenceCount,
  } as const
  const admins = await listActiveAdmins(tx)
  const mails = admins.map((userId) => ({
    userId,
    content,
    dedupeKey: `daily-close:${id}:${differenceCount}:${userId}`,
  }))
  await enqueueMails(tx, mails, now)
}

interface Differing {
  close: DailyClose
  balance: BankBalance
}

/** One mail per active admin, day and difference. */
export async function notifyAdminsOfBalance(tx: Tx, { close, balance }: Differing, { providerLabel, now }: Told) {
  const { bankCents, ourCents, differenceCents } = balance
  const amounts = { bankCents, ourCents, differenceCents }
  const content = {
    ...({ kind: "bank_balance_differs", closeId: close.id, day: close.day, provider: providerLabel } as const),
    ...amounts,
  }
  const admins = await listActiveAdmins(tx)
  const mails = admins.map((userId) => ({
    userId,
    content,
    dedupeKey: `bank-balance:${close.id}:${differenceCents}:${userId}`,
  }))
  await enqueueMails(tx, mails, now)
}

export function alarmOfBalance(
  log: Logger,
  { close: { day, provider }, balance: { differenceCents } }: Differing,
): void {
  const facts = { day, provider, differenceCents, alarm: "bank_balance_differs" }
  log.error(facts, "the bank's balance is not that of our account")
}
