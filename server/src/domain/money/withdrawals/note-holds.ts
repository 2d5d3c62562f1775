import { holdReasonLabels } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { Tx } from "#db/transaction"
import type { Person } from "#domain/people/users/find-people"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { tellAdmins, tellOwners } from "#domain/platform/mails/tell-owner"
import { type HoldRules, readNotifiesAdminOnWithdrawal } from "#domain/platform/settings/read-setting"
import { saoPauloDay } from "#kit/sao-paulo-day"
import type { Withdrawal } from "./withdrawal.ts"
import { heldNotice } from "./withdrawal-notices.ts"

interface Told {
  sellers: ReadonlyMap<string, Person>
  rules: HoldRules
  now: Date
}

/** Tells sellers and administrators which of these new withdrawals wait, in their lists: mails of the requests go, too. */
export async function noteHolds(
  tx: Tx,
  withdrawals: readonly Withdrawal[],
  { sellers, rules, now }: Told,
): Promise<void> {
  const held = withdrawals.filter(({ heldUntil }) => heldUntil !== null)
  if (held.length === 0) return
  await tellOwners(
    tx,
    held.map((withdrawal) => ({ ...heldNotice(withdrawal), mail: null })),
    now,
  )
  await tellAdminsOfHeld(tx, held, { sellers, now })
  await noteLimits(tx, held, { sellers, rules, now })
  await appendEvents(
    tx,
    "withdrawal.held",
    held.map(({ id }) => id),
    now,
  )
}

/** Those that get a mail of every request need none of its hold. Each later end of a hold is another notice. */
export async function tellAdminsOfHeld(
  tx: Tx,
  held: readonly Withdrawal[],
  { sellers, now }: Omit<Told, "rules">,
): Promise<void> {
  const isMailed = !(await readNotifiesAdminOnWithdrawal(tx))
  for (const withdrawal of held) {
    const { id: withdrawalId, sellerId, amountCents, holdReasons, heldUntil } = withdrawal
    const sellerName = sellers.get(sellerId)?.name ?? ""
    const reasons = holdReasons.map((reason) => holdReasonLabels[reason])
    const notice = { kind: "withdrawal_to_check", withdrawalId, sellerName, amountCents, reasons } as const
    const dedupeKey = `held:${withdrawalId}:${heldUntil?.toISOString() ?? null}`
    await tellAdmins(tx, { notice, dedupeKey, ...(!isMailed && { mail: null }) }, now)
  }
}

/** Once a day for each limit: a flood of requests is one mail. */
async function noteLimits(tx: Tx, held: readonly Withdrawal[], { sellers, rules, now }: Told): Promise<void> {
  const day = saoPauloDay(now)
  const reachedAt = now.toISOString()
  const beyond = held.filter(({ holdReasons }) => holdReasons.includes("daily_limit"))
  for (const sellerId of new Set(beyond.map((withdrawal) => withdrawal.sellerId))) {
    const whose = sellers.get(sellerId)?.name ?? ""
    const notice = { kind: "limit_reached", whose, limitCents: rules.dailyLimitCents, reachedAt } as const
    await tellAdmins(tx, { notice, dedupeKey: `limit:${sellerId}:${day}` }, now)
  }
  if (!held.some(({ holdReasons }) => holdReasons.includes("platform_limit"))) return
  const notice = {
    kind: "limit_reached",
    whose: wholePlatform,
    limitCents: rules.platformLimitCents,
    reachedAt,
  } as const
  await tellAdmins(tx, { notice, dedupeKey: `limit:platform:${day}` }, now)
}

const wholePlatform = "toda a plataforma"
