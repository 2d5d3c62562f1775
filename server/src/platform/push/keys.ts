import webpush from "web-push"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { invariant } from "#kit/errors"
import { openSecret, type SecretKeys, sealSecret } from "#kit/secrets"
import { requireSharedKey } from "#platform/system/sealing-key"
import { findPushKey } from "./reads.ts"
import type { PushKey } from "./rules.ts"
import { insertKeyOnce, lockKeySealedOtherwise, saveResealed } from "./table.ts"

/** Binds the box to its row. */
const context = "push_keys"

/** Makes the key at the first start. */
export async function ensurePushKey(deps: { db: Db; clock: Clock; secretKeys: SecretKeys }): Promise<void> {
  const { db, clock, secretKeys } = deps
  if ((await findPushKey(db)) !== null) return
  await db.transaction().execute((tx) => makeKey(tx, secretKeys, clock.now()))
}

async function makeKey(tx: Tx, secretKeys: SecretKeys, now: Date): Promise<void> {
  await requireSharedKey(tx, secretKeys)
  const { publicKey, privateKey } = webpush.generateVAPIDKeys()
  await insertKeyOnce(tx, { publicKey, sealed: sealSecret(secretKeys, privateKey, context) }, now)
}

export async function readPublicKey(db: Db): Promise<string> {
  return (await readKey(db)).publicKey
}

export async function openPushKey(db: Db, secretKeys: SecretKeys): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, sealed } = await readKey(db)
  return { publicKey, privateKey: openSecret(secretKeys, sealed, context) }
}

async function readKey(db: Db): Promise<PushKey> {
  const key = await findPushKey(db)
  invariant(key !== null, "the first start makes the key of pushes")
  return key
}

export async function resealPushKey(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const held = await lockKeySealedOtherwise(tx, secretKeys()[0].id)
  if (held === null) return 0
  await saveResealed(tx, sealSecret(secretKeys, openSecret(secretKeys, held.sealed, context), context))
  return 1
}
