import { type SecondFactor, secondFactors } from "@tilinta/contract/vocabulary/people"
import type { Db, Tx } from "#db/transaction"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { findDoubtfulSince, issueNotMeLink } from "#people/freezes/freeze"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { whenceOf } from "#platform/mails/mail-content"
import { notifyOwner } from "#platform/mails/notify-owner"
import { deletePasskeysOf, deletePasskeysSince } from "./passkeys-table.ts"
import {
  deleteRecoveryCodes,
  deleteRecoveryCodesSince,
  deleteTotp,
  type FactorState,
  findFactorStates,
  lockFactorsOf,
} from "./table.ts"

const none: FactorState = { totpSince: null, passkeys: 0, recoveryCodesLeft: 0 }

export async function readFactors(db: Db, userId: string): Promise<FactorState> {
  return (await findFactorStates(db, [userId])).get(userId) ?? none
}

/** Proofs that the user has in addition to the password; empty without a factor. */
export async function findFactorsOf(db: Db, userId: string): Promise<SecondFactor[]> {
  return factorsIn(await readFactors(db, userId))
}

function factorsIn({ totpSince, passkeys, recoveryCodesLeft }: FactorState = none): SecondFactor[] {
  if (totpSince === null && passkeys === 0) return []
  const has = { passkey: passkeys > 0, totp: totpSince !== null, recovery_code: recoveryCodesLeft > 0 }
  return secondFactors.filter((factor) => has[factor])
}

/** How the caller of a verb proved who they are. */
export interface Proof {
  userId: string
  /** True for minutes after a step-up in this very session. */
  isFresh: boolean
  /** A program with an API key can't step up. */
  isProgram: boolean
  protection: Protection
  /** True for what relaxed protection asks of everybody, too: the changes of second factors. */
  isAlwaysRequired?: boolean
}

export async function requireStepUp(db: Db, proof: Proof): Promise<void> {
  const refusal = await findStepUpRefusal(db, proof)
  if (refusal !== null) throw refusal
}

/**
 * Why the caller must step up first; null when nothing is asked. Relaxed asks only those who enrolled a factor, so that a
 * sandbox is tried without being asked, and whoever is about to enrol one.
 */
export async function findStepUpRefusal(db: Db, proof: Proof): Promise<DomainError | null> {
  if (proof.isFresh) return null
  const factors = await findFactorsOf(db, proof.userId)
  const isRequired = proof.protection === "strict" || factors.length > 0 || proof.isAlwaysRequired === true
  return isRequired ? refusalOf(proof, ["password", ...factors]) : null
}

type Methods = NonNullable<NonNullable<DomainError["data"]>["methods"]>

function refusalOf({ isProgram }: Proof, methods: Methods): DomainError {
  if (!isProgram) return new DomainError("step_up_required", { data: { methods } })
  const message = "Um programa não pode confirmar quem é. Faça isto pelo navegador."
  return new DomainError("step_up_required", { message, data: { methods: [] } })
}

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
    actor: owner,
    happenedAt: now,
    action: `second_factor.${change}`,
    entity: "user",
    entityId: owner.id,
    before: change === "removed" ? facts : null,
    after: change === "removed" ? null : facts,
  })
  const details = { change, factor, name, changedAt: now.toISOString(), ...whenceOf(owner) }
  const notMe = await issueNotMeLink(tx, owner.id, now)
  await notifyOwner(tx, { userId: owner.id, notice: { kind: "second_factor_changed", ...details }, notMe }, now)
}

/** Without a factor left the recovery codes have nothing to recover. */
export async function deleteUselessCodes(tx: Tx, userId: string): Promise<void> {
  if ((await findFactorsOf(tx, userId)).length === 0) await deleteRecoveryCodes(tx, userId)
}

/**
 * For an owner who comes back by mail while the account is frozen: a factor that can't end the freeze may be the thief's, and
 * would keep the owner out for ever.
 */
export async function removeDoubtfulFactors(tx: Tx, owner: Actor, now: Date): Promise<void> {
  const since = await findDoubtfulSince(tx, owner.id)
  if (since === null) return
  await lockFactorsOf(tx, owner.id)
  const removed: Pick<FactorChange, "factor" | "name">[] = []
  if (await deleteTotp(tx, owner.id, since)) removed.push({ factor: "totp" })
  for (const name of await deletePasskeysSince(tx, owner.id, since)) removed.push({ factor: "passkey", name })
  if (await deleteRecoveryCodesSince(tx, owner.id, since)) removed.push({ factor: "recovery_code" })
  await deleteUselessCodes(tx, owner.id)
  for (const each of removed) await noteFactorChange(tx, { owner, change: "removed", ...each }, now)
}

/** For an account that is deleted: nobody is told, as nobody signs in any more. */
export async function eraseFactors(tx: Tx, userId: string): Promise<void> {
  await lockFactorsOf(tx, userId)
  await deleteTotp(tx, userId)
  await deletePasskeysOf(tx, userId)
  await deleteRecoveryCodes(tx, userId)
}
