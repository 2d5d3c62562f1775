import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { RulePause, RulePeriod } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import { type Clock, dueTime } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import { findTrustedDestination } from "#money/destinations/reads"
import { existsPaidFromBrowser } from "#money/withdrawals/reads"
import { endOfDelay } from "#money/withdrawals/rules"
import { type Destination, maskedDestination } from "#money/withdrawals/withdrawal"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyOwner } from "#platform/mails/notify-owner"
import { readHoldRules } from "#platform/settings/reads"
import { nextMorning, type WithdrawalRule } from "./rules.ts"
import { deleteRule, lockRule, saveRule } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface RuleInput {
  seller: Actor
  proof: Proof
  every: RulePeriod
  aboveCents: Cents
  destinationId: string
  isPaused: boolean
}

/**
 * Asks for a step-up: it chooses where all the money goes. Pausing asks nobody, and changes nothing else.
 * @throws destination_not_proven
 */
export async function setRule({ db, clock }: Deps, input: RuleInput): Promise<WithdrawalRule> {
  if (!input.isPaused) await requireStepUp(db, input.proof)
  return db.transaction().execute((tx) => setOnce(tx, input, { now: clock.now(), due: dueTime(clock) }))
}

async function setOnce(tx: Tx, input: RuleInput, { now, due }: { now: Date; due: Date }): Promise<WithdrawalRule> {
  const { seller, every, aboveCents, destinationId, isPaused, proof } = input
  const before = await lockRule(tx, seller.id)
  if (isPaused) {
    if (before === null) throw new DomainError("not_found")
    return (await pauseRule(tx, { sellerId: seller.id, because: "by_owner", failure: "", by: seller }, now)) ?? before
  }
  const to = { sellerId: seller.id, destinationId, protection: proof.protection }
  const destination = await findProven(tx, to, now)
  const rule: WithdrawalRule = {
    sellerId: seller.id,
    every,
    aboveCents,
    destinationId,
    nextAt: nextMorning(every, due),
    pausedBecause: null,
    failure: "",
    lastWithdrawalId: null,
  }
  await saveRule(tx, rule)
  const after = { every, amount: reaisFromCents(aboveCents), destination: maskedDestination(destination) }
  const about = { entity: "user", entityId: seller.id, happenedAt: now, actor: seller } as const
  await recordAudit(tx, { ...about, action: "withdrawal_rule.set", before: null, after })
  return rule
}

interface RulesDestination {
  sellerId: string
  destinationId: string
  protection: Protection
}

/** Paid from the browser before, not removed since, and past its hold. */
export async function findProven(
  tx: Tx,
  { sellerId, destinationId, protection }: RulesDestination,
  now: Date,
): Promise<Destination> {
  const used = isId(destinationId) ? await findTrustedDestination(tx, { id: destinationId, sellerId }) : null
  if (used === null) throw new DomainError("not_found")
  const { newDestinationHours } = await readHoldRules(tx, protection)
  const isHeld = endOfDelay(used.firstUsedAt, newDestinationHours, now) !== null
  if (isHeld || !(await existsPaidFromBrowser(tx, sellerId, used.destination))) {
    throw new DomainError("destination_not_proven")
  }
  return used.destination
}

interface Pause {
  sellerId: string
  because: RulePause
  failure: string
  /** Null for the platform. */
  by?: Actor
}

/** Null where nothing runs. Its seller hears of it, unless it was they. */
export async function pauseRule(
  tx: Tx,
  { sellerId, because, failure, by }: Pause,
  now: Date,
): Promise<WithdrawalRule | null> {
  const before = await lockRule(tx, sellerId)
  if (before === null || before.pausedBecause !== null) return null
  const paused = { ...before, pausedBecause: because, failure }
  await saveRule(tx, paused)
  const reason = failure === "" ? pauseTexts[because] : failure
  const about = { entity: "user", entityId: sellerId, happenedAt: now, actor: by ?? null } as const
  await recordAudit(tx, { ...about, action: "withdrawal_rule.paused", before: null, after: { reason } })
  const notice = { kind: "withdrawal_rule_paused", reason } as const
  if (because !== "by_owner") await notifyOwner(tx, { userId: sellerId, notice }, now)
  return paused
}

const pauseTexts = {
  by_owner: "Pausado por você",
  frozen: "A conta foi congelada",
  failed: "Um saque falhou",
} as const satisfies Record<RulePause, string>

/** A second removal changes nothing. */
export async function removeRule({ db, clock }: Deps, seller: Actor): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => removeOnce(tx, seller, now))
}

async function removeOnce(tx: Tx, seller: Actor, now: Date): Promise<void> {
  const before = await lockRule(tx, seller.id)
  if (before === null) return
  await deleteRule(tx, seller.id)
  const { every, aboveCents } = before
  const about = { entity: "user", entityId: seller.id, happenedAt: now, actor: seller } as const
  const was = { every, amount: reaisFromCents(aboveCents) }
  await recordAudit(tx, { ...about, action: "withdrawal_rule.removed", before: was, after: null })
}
