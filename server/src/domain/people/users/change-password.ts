import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { hashPassword } from "./password.ts"
import { refuseGuessable } from "./password-rules.ts"
import { type PasswordProof, provePassword, wrongPassword } from "./prove-password.ts"
import { savePassword } from "./save-password.ts"
import { lockUser } from "./users-repository.ts"

interface Change extends PasswordProof {
  password: string
  /** Token of the caller's session, which stays open. */
  token: string
}

export async function changePassword(deps: { db: Db; clock: Clock }, change: Change): Promise<void> {
  const { db, clock } = deps
  const user = await provePassword(deps, change)
  await refuseGuessable(db, change.password, user)
  const passwordHash = await hashPassword(change.password)
  const before = user.passwordHash
  await db.transaction().execute((tx) => replacePassword(tx, { ...change, before, passwordHash }, clock.now()))
}

/** The second of two concurrent changes finds its current password outdated. */
async function replacePassword(
  tx: Tx,
  { userId, token, address, before, passwordHash }: Change & { before: string | null; passwordHash: string },
  now: Date,
): Promise<void> {
  const user = await lockUser(tx, userId)
  if (user?.passwordHash !== before) throw wrongPassword()
  const change = { action: "user.password_changed", address, spared: { token } } as const
  await savePassword(tx, { user, passwordHash, ...change }, now)
}
