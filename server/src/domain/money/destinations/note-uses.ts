import { deviceName } from "@tilinta/contract/vocabulary/device-name"
import type { DestinationProof } from "@tilinta/contract/vocabulary/withdrawal-holds"
import type { Tx } from "#db/transaction"
import type { Withdrawal } from "#domain/money/withdrawals/withdrawal"
import { maskedDestination } from "#domain/money/withdrawals/withdrawal-notices"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import { findFactorsOf } from "#domain/people/second-factors/find-factors"
import type { Proof } from "#domain/people/second-factors/require-step-up"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { newId } from "#kit/ids"
import { findFirstUses, saveUses, type UsedDestination } from "./destinations-repository.ts"
import { targetOf } from "./target.ts"

interface Use {
  withdrawal: Withdrawal
  proof: Proof | null
  address: string | null
  userAgent: string | null
}

function nameOf(sellerId: string, target: string): string {
  return `${sellerId} ${target}`
}

export function nameOfUse({ sellerId, destination }: Withdrawal): string {
  return nameOf(sellerId, targetOf(destination))
}

/** When each destination was first used, by `nameOfUse`; new ones are missing. Call it under the sellers' balances. */
export async function readFirstUses(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<Map<string, Date>> {
  const wanted = withdrawals.map(({ sellerId, destination }) => ({ sellerId, target: targetOf(destination) }))
  const known = await findFirstUses(tx, wanted)
  return new Map(known.map(({ sellerId, target, firstUsedAt }) => [nameOf(sellerId, target), firstUsedAt]))
}

/** Remembers where sellers are paid, and tells each of them of a place that is new. */
export async function noteUses(
  tx: Tx,
  uses: readonly Use[],
  { known, now }: { known: ReadonlyMap<string, Date>; now: Date },
): Promise<void> {
  const first = new Map<string, Use>()
  for (const use of uses) if (!first.has(nameOfUse(use.withdrawal))) first.set(nameOfUse(use.withdrawal), use)
  const saved: UsedDestination[] = []
  for (const [name, use] of first) {
    const isNew = !known.has(name)
    saved.push({ ...usedOf(use), confirmedBy: isNew ? await confirmedBy(tx, use) : null })
    if (isNew) await tellOfNew(tx, use, now)
  }
  await saveUses(tx, saved)
}

function usedOf({ withdrawal }: Use): Omit<UsedDestination, "confirmedBy"> {
  const { sellerId, destination, createdAt } = withdrawal
  return { id: newId(), sellerId, destination, firstUsedAt: createdAt, lastUsedAt: createdAt }
}

async function confirmedBy(tx: Tx, { proof }: Use): Promise<DestinationProof | null> {
  if (proof === null || !proof.isFresh) return null
  return (await findFactorsOf(tx, proof.userId)).length > 0 ? "second_factor" : "password"
}

/** Without strict protection the list of notices tells, and no mail. */
async function tellOfNew(tx: Tx, { withdrawal, proof, address, userAgent }: Use, now: Date): Promise<void> {
  const { sellerId: userId, destination, amountCents, createdAt, heldUntil } = withdrawal
  const notice = {
    kind: "destination_added",
    destination: maskedDestination(destination),
    amountCents,
    addedAt: createdAt.toISOString(),
    heldUntil: heldUntil?.toISOString() ?? null,
    address,
    device: userAgent ? deviceName(userAgent) : null,
  } as const
  const isMailed = proof?.protection === "strict"
  const mail = isMailed ? { notMe: await issueNotMeLink(tx, userId, now) } : { mail: null }
  await tellOwner(tx, { userId, notice, ...mail }, now)
}
