import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { RulePause, RulePeriod } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import { type Clock, dueTime } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { findTrustedDestination } from "#money/destinations/reads"
import type { UsedDestination } from "#money/destinations/rules"
import { existsPaidFromBrowser } from "#money/withdrawals/reads"
import { endOfDelay } from "#money/withdrawals/rules"
import { maskedDestination } from "#money/withdrawals/withdrawal"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { notifyAllOwners } from "#people/team/notify"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { macOf, renewMacs } from "#platform/order-macs/macs"
import { readHoldRules } from "#platform/settings/reads"
import { nextMorning, ruleOrder, type WithdrawalRule } from "./rules.ts"
import { deleteRule, lockRule, lockRulesOfFormerKey, saveRule } from "./table.ts"

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
  const used = await getTrusted(tx, { id: destinationId, sellerId: seller.id })
  await requireProven(tx, used, { now, protection: proof.protection })
  const { destination } = used
  const chosen = { sellerId: seller.id, every, aboveCents, destinationId }
  const rule: WithdrawalRule = {
    ...chosen,
    nextAt: nextMorning(every, due),
    pausedBecause: null,
    failure: "",
    lastWithdrawalId: null,
    mac: macOf(ruleOrder(chosen, destination)),
  }
  await saveRule(tx, rule)
  const after = { every, amount: reaisFromCents(aboveCents), destination: maskedDestination(destination) }
  const about = { entity: "user", entityId: seller.id, happenedAt: now, actor: seller } as const
  await recordAudit(tx, { ...about, action: "withdrawal_rule.set", before: null, after })
  return rule
}

/** @throws not_found also once it was removed */
export async function getTrusted(tx: Tx, of: Pick<UsedDestination, "id" | "sellerId">): Promise<UsedDestination> {
  const used = isId(of.id) ? await findTrustedDestination(tx, of) : null
  if (used === null) throw new DomainError("not_found")
  return used
}

/** Paid from the browser before, and past its hold. */
export async function requireProven(
  tx: Tx,
  { sellerId, destination, firstUsedAt }: UsedDestination,
  { now, protection }: { now: Date; protection: Protection },
): Promise<void> {
  const { newDestinationHours } = await readHoldRules(tx, protection)
  const isHeld = endOfDelay(firstUsedAt, newDestinationHours, now) !== null
  if (isHeld || !(await existsPaidFromBrowser(tx, sellerId, destination))) {
    throw new DomainError("destination_not_proven")
  }
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
  if (because !== "by_owner") await notifyAllOwners(tx, [{ userId: sellerId, notice }], now)
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

/** For a rotation of SECRETS_KEY; how many rules got another MAC. */
export async function renewRuleMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  return renewMacs(secretKeys, {
    rows: await lockRulesOfFormerKey(tx, secretKeys),
    orderOf: (rule) => ruleOrder(rule, rule.destination),
    save: (rule, mac) => saveRule(tx, { ...rule, mac }),
  })
}
