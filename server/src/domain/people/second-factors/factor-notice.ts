import type { SecondFactor } from "@tilinta/contract/vocabulary/second-factors"
import type { Tx } from "#db/transaction"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { tellOwner } from "#domain/platform/mails/tell-owner"

type Change = "added" | "removed" | "recovery_used" | "recovery_renewed"

interface FactorChange {
  owner: Actor
  change: Change
  factor: SecondFactor
  /** The passkey's. */
  name?: string
}

/** A thief of an account changes its factors: each change is recorded, and the owner hears of it. */
export async function noteFactorChange(
  tx: Tx,
  { owner, change, factor, name = "" }: FactorChange,
  now: Date,
): Promise<void> {
  const facts = { method: factor, ...(name !== "" && { name }) }
  await recordAudit(tx, {
    ...{ actor: owner, happenedAt: now, action: `second_factor.${change}`, entity: "user", entityId: owner.id },
    before: change === "removed" ? facts : null,
    after: change === "removed" ? null : facts,
  })
  const told = { change, factor, name, changedAt: now.toISOString(), address: owner.address }
  const notMe = await issueNotMeLink(tx, owner.id, now)
  await tellOwner(tx, { userId: owner.id, notice: { kind: "second_factor_changed", ...told }, notMe }, now)
}
