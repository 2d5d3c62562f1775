import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { hashOfToken, isToken, newToken } from "#kit/secret-token"
import { deleteDevicesOf, insertKnownDevice } from "./known-devices-repository.ts"
import { forgetFailuresOf } from "./login-limit.ts"
import { hashPassword } from "./password.ts"
import { findLiveReset } from "./password-resets-repository.ts"
import { refuseGuessable } from "./password-rules.ts"
import type { OnRecovery } from "./recovery.ts"
import { savePassword } from "./save-password.ts"
import { findUserWithPassword, lockUser, updateEmailState } from "./users-repository.ts"

/** A link that doesn't work costs no hash. */
export async function resetPassword(
  { db, clock, onRecovery }: { db: Db; clock: Clock; onRecovery: OnRecovery },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<{ device: string }> {
  const tokenHash = hashOfToken(token)
  const now = clock.now()
  const userId = isToken(token) ? await findLiveReset(db, tokenHash, now) : undefined
  if (userId === undefined) throw new DomainError("reset_token_invalid")

  const owner = await findUserWithPassword(db, userId)
  if (owner !== undefined) await refuseGuessable(db, password, owner)
  const passwordHash = await hashPassword(password)
  const device = newToken()
  await db
    .transaction()
    .execute((tx) => useReset(tx, { tokenHash, userId, passwordHash, address, device, onRecovery }, now))
  return { device }
}

interface Reset {
  tokenHash: Buffer
  userId: string
  passwordHash: string
  /** The address that the request came from. */
  address: string
  device: string
  onRecovery: OnRecovery
}

/** Takes the user's lock and then checks the link again: of several concurrent uses one succeeds. */
async function useReset(
  tx: Tx,
  { tokenHash, userId, passwordHash, address, device, onRecovery }: Reset,
  now: Date,
): Promise<void> {
  const user = await lockUser(tx, userId)
  const isLive = (await findLiveReset(tx, tokenHash, now)) === userId
  if (user === undefined || !user.active || !isLive) throw new DomainError("reset_token_invalid")
  await savePassword(tx, { user, passwordHash, action: "user.password_reset", address, spared: null }, now)
  // The link was used, so its user reads the mail of the address.
  if (user.emailState !== "confirmed") await updateEmailState(tx, userId, "confirmed", now)
  await forgetFailuresOf(tx, user.email)
  // Somebody who knew the old password may have made theirs a known device.
  await deleteDevicesOf(tx, userId)
  await insertKnownDevice(tx, userId, hashOfToken(device), now)
  // The first password of somebody who was invited recovers nothing.
  if (user.passwordHash !== null) await onRecovery(tx, userId, now)
}
