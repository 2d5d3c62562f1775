import type { NewRow } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { currentMacs, macOf, type Order } from "#platform/order-macs/macs"

export interface Passkey {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  rpId: string
  credentialId: Buffer
  transports: string[]
}

const columns = [
  "id",
  "name",
  "created_at as createdAt",
  "last_used_at as lastUsedAt",
  "rp_id as rpId",
  "credential_id as credentialId",
  "transports",
] as const

/** The oldest first. */
export async function findPasskeysOf(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom("passkeys")
    .where("user_id", "=", userId)
    .select(columns)
    .orderBy("created_at")
    .orderBy("id")
    .execute()
}

/** The facts that decide whom a passkey lets in. */
interface KeyFacts {
  id: string
  userId: string
  credentialId: Buffer
  publicKey: Buffer
  createdAt: Date
}

/** Signed, so that writing into the database alone makes nobody's passkey another's. */
export function passkeyOrder({ id, userId, credentialId, publicKey, createdAt }: KeyFacts): Order {
  const facts = [userId, credentialId.toString("base64url"), publicKey.toString("base64url"), createdAt]
  return { act: "passkey", id, facts }
}

export interface SignedKey extends KeyFacts {
  mac: string
}

interface StoredKey extends SignedKey {
  /** The user's, as the authenticator knows it. */
  handle: Buffer
  name: string
}

const facts = [
  "passkeys.id",
  "passkeys.user_id as userId",
  "credential_id as credentialId",
  "public_key as publicKey",
  "passkeys.created_at as createdAt",
  "mac",
] as const

export async function findStoredKey(db: Db, credentialId: Buffer): Promise<StoredKey | undefined> {
  return db
    .selectFrom("passkeys")
    .innerJoin("passkey_owners", "passkey_owners.user_id", "passkeys.user_id")
    .where("credential_id", "=", credentialId)
    .select(facts)
    .select(["handle", "name"])
    .executeTakeFirst()
}

/** Returns the handle that the user has, or has from now on. */
export async function keepHandle(tx: Tx, userId: string, newHandle: Buffer, now: Date): Promise<Buffer> {
  await tx
    .insertInto("passkey_owners")
    .values({ user_id: userId, handle: newHandle, created_at: now } satisfies NewRow<"passkey_owners">)
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute()
  const query = tx.selectFrom("passkey_owners").select("handle").where("user_id", "=", userId)
  return (await query.executeTakeFirstOrThrow()).handle
}

export interface NewPasskey extends Omit<Passkey, "lastUsedAt"> {
  userId: string
  publicKey: Buffer
  signCount: number
}

/** False when somebody has this credential, the same user too. */
export async function insertPasskeyOnce(tx: Tx, passkey: NewPasskey): Promise<boolean> {
  const inserted = await tx
    .insertInto("passkeys")
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: passkey.transports,
      rp_id: passkey.rpId,
      name: passkey.name,
      created_at: passkey.createdAt,
      mac: macOf(passkeyOrder(passkey)),
    } satisfies NewRow<"passkeys", "last_used_at">)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst()
  return inserted !== undefined
}

/** False when it was removed, or its counter didn't grow; authenticators that don't count always say 0. */
export async function noteUse(
  tx: Tx,
  { id, signCount }: { id: string; signCount: number },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("passkeys")
    .set({ sign_count: signCount, last_used_at: now })
    .where("id", "=", id)
    .where((row) => row.or([row("sign_count", "<", signCount), row("sign_count", "=", signCount === 0 ? 0 : -1)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

interface OwnPasskey {
  id: string
  userId: string
}

/** The passkey as it was; none when the user has no such passkey. */
export async function lockOwnPasskey(tx: Tx, { id, userId }: OwnPasskey): Promise<Passkey | undefined> {
  return tx
    .selectFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .select(columns)
    .forUpdate()
    .executeTakeFirst()
}

export async function renamePasskeyRow(tx: Tx, id: string, name: string): Promise<void> {
  await tx.updateTable("passkeys").set({ name }).where("id", "=", id).execute()
}

export async function deletePasskeyRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("passkeys").where("id", "=", id).execute()
}

/** A signature that was made for another purpose proves nothing. */
export type PasskeyPurpose = Schema["passkey_challenges"]["purpose"]

export interface ChallengeRow {
  challenge: Buffer
  purpose: PasskeyPurpose
  /** Null for a sign-in. */
  sessionHash: Buffer | null
}

export async function insertChallenge(tx: Tx, row: ChallengeRow, expiresAt: Date): Promise<void> {
  const { challenge, purpose, sessionHash } = row
  await tx
    .insertInto("passkey_challenges")
    .values({
      challenge,
      purpose,
      session_hash: sessionHash,
      expires_at: expiresAt,
    } satisfies NewRow<"passkey_challenges">)
    .execute()
}

/** When it expires; none when it was used before, also by a concurrent request, or made for something else. */
export async function deleteChallenge(tx: Tx, { challenge, purpose, sessionHash }: ChallengeRow) {
  const deleted = await tx
    .deleteFrom("passkey_challenges")
    .where("challenge", "=", challenge)
    .where("purpose", "=", purpose)
    .where("session_hash", "is not distinct from", sessionHash)
    .returning("expires_at as expiresAt")
    .executeTakeFirst()
  return deleted?.expiresAt
}

/** Skips locked rows; they are deleted by the next run. */
export async function deleteExpiredChallenges(tx: Tx, now: Date): Promise<void> {
  const expired = tx.selectFrom("passkey_challenges").select("challenge").where("expires_at", "<=", now)
  await tx.deleteFrom("passkey_challenges").where("challenge", "in", expired.forUpdate().skipLocked()).execute()
}

/** Their names. */
export async function deletePasskeysSince(tx: Tx, userId: string, since: Date): Promise<string[]> {
  const passkeys = tx.deleteFrom("passkeys").where("user_id", "=", userId).where("created_at", ">=", since)
  return (await passkeys.returning("name").execute()).map(({ name }) => name)
}

export async function deletePasskeysOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("passkeys").where("user_id", "=", userId).execute()
}

/** Those whose MAC another key than the first has made, locked. */
export async function lockPasskeysOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<SignedKey[]> {
  const query = tx.selectFrom("passkeys").select(facts).where("mac", "not like", currentMacs(secretKeys))
  return query.orderBy("id").forUpdate().execute()
}

export async function savePasskeyMac(tx: Tx, { id }: SignedKey, mac: string): Promise<void> {
  await tx.updateTable("passkeys").set({ mac }).where("id", "=", id).execute()
}
