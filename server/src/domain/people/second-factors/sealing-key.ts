import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { invariant } from "#kit/invariant"
import type { SecretKeys } from "#kit/secret-box"
import { StartError } from "#kit/start-error"
import {
  findSealingKeys,
  holdSealingKey,
  insertSealingKeyOnce,
  lockTotpsSealedOtherwise,
  replaceSealingKey,
  saveResealed,
} from "./second-factors-repository.ts"
import { openTotp, sealTotp } from "./totp-box.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/**
 * Refuses a start without a key that this database's secrets need: nobody with a second factor could sign in. While
 * nothing is sealed any key will do, and becomes the one that all nodes must share.
 */
export async function ensureSealingKey({ db, clock, secretKeys }: Deps): Promise<void> {
  await db.transaction().execute((tx) => adoptKey(tx, secretKeys, clock.now()))
}

async function adoptKey(tx: Tx, secretKeys: SecretKeys, now: Date): Promise<void> {
  const keys = secretKeys()
  const isKnown = (keyId: string) => keys.some(({ id }) => id === keyId)
  await insertSealingKeyOnce(tx, keys[0].id, now)
  const held = await holdSealingKey(tx)
  const sealing = await findSealingKeys(tx)
  if (!sealing.every(isKnown)) throw new StartError(otherKey)
  if (held !== undefined && !isKnown(held)) await replaceSealingKey(tx, keys[0].id, now)
}

const otherKey =
  "Variável de ambiente SECRETS_KEY ausente ou inválida para este banco de dados: há segredos guardados com outra chave. " +
  "Use a mesma SECRETS_KEY em todos os servidores (ou traga de volta o arquivo secrets.key de DATA_DIR)."

/** Call it before sealing: what a key seals that the other nodes don't have, they could never open. */
export async function requireSharedKey(tx: Tx, secretKeys: SecretKeys): Promise<void> {
  const held = await holdSealingKey(tx)
  const isShared = held === undefined || secretKeys().some(({ id }) => id === held)
  invariant(isShared, "another node of this database has another SECRETS_KEY: give all of them the same")
}

/** Seals again with the first key whatever another one sealed; the number of secrets. */
export async function resealSecrets({ db, clock, secretKeys }: Deps): Promise<number> {
  return db.transaction().execute((tx) => reseal(tx, secretKeys, clock.now()))
}

async function reseal(tx: Tx, secretKeys: SecretKeys, now: Date): Promise<number> {
  const [{ id: keyId }] = secretKeys()
  await replaceSealingKey(tx, keyId, now)
  const old = await lockTotpsSealedOtherwise(tx, keyId)
  for (const stored of old) await saveResealed(tx, sealTotp(secretKeys, stored, openTotp(secretKeys, stored)))
  return old.length
}
