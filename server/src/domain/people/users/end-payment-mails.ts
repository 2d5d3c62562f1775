import { validate as isUuid } from "uuid"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { updateProfile } from "./update-profile.ts"
import { findUserByMailToken } from "./users-repository.ts"

/** Null for an unknown token. Not a secret of the account: it only ends mails. */
export async function ownerOfMails(db: Db, mailToken: string): Promise<{ id: string; wants: boolean } | null> {
  const user = isUuid(mailToken) ? await findUserByMailToken(db, mailToken) : undefined
  return user === undefined ? null : { id: user.id, wants: user.paymentMails !== "none" }
}

/** False for an unknown token. Any number of times is once. */
export async function endPaymentMails(
  deps: { db: Db; clock: Clock },
  { mailToken, address }: { mailToken: string; address: string },
): Promise<boolean> {
  const owner = await ownerOfMails(deps.db, mailToken)
  if (owner === null) return false
  await updateProfile(deps, { id: owner.id, address }, { paymentMails: "none" })
  return true
}
