import type { Tx } from "#db/transaction"
import { deleteEmailChangeOf } from "./email-changes-repository.ts"
import { deleteConfirmationsOf } from "./email-confirmations-repository.ts"
import { deleteFailuresOf } from "./failed-logins-repository.ts"
import { deleteDevicesOf } from "./known-devices-repository.ts"
import { deleteResetsOf } from "./password-resets-repository.ts"
import { emailKeyOf, type User } from "./user.ts"
import { eraseUserRow } from "./users-repository.ts"

/** Leaves a row without a person, to which sales and postings belong. The e-mail is free from here on. Call it under the user's lock. */
export async function eraseUser(tx: Tx, { id, email }: Pick<User, "id" | "email">, now: Date): Promise<void> {
  await deleteResetsOf(tx, id)
  await deleteConfirmationsOf(tx, id)
  await deleteEmailChangeOf(tx, id)
  await deleteDevicesOf(tx, id)
  await deleteFailuresOf(tx, emailKeyOf(email))
  await eraseUserRow(tx, id, now)
}
