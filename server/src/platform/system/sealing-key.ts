import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { invariant, StartError } from "#kit/errors"
import type { SecretKeys } from "#kit/secrets"
import { findSealingKeys, insertSealingKeyOnce, lockSealingKey, replaceSealingKey } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/**
 * Refuses a start without a key that this database's secrets need: nobody with a second factor could sign in, and no
 * webhook be signed. While nothing is sealed any key will do, and becomes the one that all nodes must share.
 */
export async function ensureSealingKey({ db, clock, secretKeys }: Deps): Promise<void> {
  await db.transaction().execute((tx) => adoptKey(tx, secretKeys, clock.now()))
}

async function adoptKey(tx: Tx, secretKeys: SecretKeys, now: Date): Promise<void> {
  const keys = secretKeys()
  const isKnown = (keyId: string) => keys.some(({ id }) => id === keyId)
  await insertSealingKeyOnce(tx, keys[0].id, now)
  const held = await lockSealingKey(tx)
  const sealing = await findSealingKeys(tx)
  if (!sealing.every(isKnown)) throw new StartError(otherKey)
  if (held !== undefined && !isKnown(held)) await replaceSealingKey(tx, keys[0].id, now)
}

const otherKey =
  "Variável de ambiente SECRETS_KEY ausente ou inválida para este banco de dados: há segredos guardados com outra chave. " +
  "Use a mesma SECRETS_KEY em todos os servidores (ou traga de volta o arquivo secrets.key de DATA_DIR)."

/**
 * Call it before sealing, first in the transaction, as a rotation locks the key before the secrets: what a key seals that the
 * other nodes don't have, they could never open.
 */
export async function requireSharedKey(tx: Tx, secretKeys: SecretKeys): Promise<void> {
  const held = await lockSealingKey(tx)
  const isShared = held === undefined || secretKeys().some(({ id }) => id === held)
  invariant(isShared, "another node of this database has another SECRETS_KEY: give all of them the same")
}

/** Seals one noun's secrets again with the first key, where another one sealed them; the number of secrets. */
type Reseal = (tx: Tx, secretKeys: SecretKeys) => Promise<number>

/** Seals again all that another key sealed; the number of secrets. */
export async function resealSecrets({ db, clock, secretKeys }: Deps, reseals: readonly Reseal[]): Promise<number> {
  return db.transaction().execute((tx) => resealAll(tx, { secretKeys, reseals, now: clock.now() }))
}

interface Resealing {
  secretKeys: SecretKeys
  reseals: readonly Reseal[]
  now: Date
}

async function resealAll(tx: Tx, { secretKeys, reseals, now }: Resealing): Promise<number> {
  const [{ id: keyId }] = secretKeys()
  await replaceSealingKey(tx, keyId, now)
  let count = 0
  for (const reseal of reseals) count += await reseal(tx, secretKeys)
  const left = (await findSealingKeys(tx)).filter((id) => id !== keyId)
  invariant(left.length === 0, `secrets are still sealed with ${left.join()}`)
  return count
}
