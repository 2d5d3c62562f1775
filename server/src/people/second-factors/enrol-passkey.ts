import { randomBytes } from "node:crypto"
import type { PasskeyAttestation, PasskeyCreationOptions } from "@tilinta/contract/passkeys"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { closeSessionsOf } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { deleteUselessCodes, findFactorsOf, noteFactorChange } from "./factors.ts"
import {
  deletePasskeyRow,
  findPasskeysOf,
  insertPasskeyOnce,
  keepHandle,
  lockOwnPasskey,
  type NewPasskey,
  type Passkey,
  renamePasskeyRow,
} from "./passkeys-table.ts"
import {
  challengeIn,
  challengeSeconds,
  descriptorsOf,
  getRelyingParty,
  issueChallenge,
  passkeyRefused,
  readNewKey,
  signatureAlgorithms,
  takeChallenge,
} from "./prove-passkey.ts"
import { lockFactorsOf } from "./table.ts"
import { replaceRecoveryCodes } from "./totp.ts"

const MOST_PASSKEYS = 10

interface Deps {
  db: Db
  clock: Clock
  publicUrl: string
}

/** Names that the authenticator shows and stores. */
interface Shown {
  platform: string
  email: string
  name: string
}

/** Returns what the browser needs to make a passkey; `addPasskey` takes its answer, in this session. */
export async function beginPasskey(deps: Deps, { id, token }: Owner, shown: Shown): Promise<PasskeyCreationOptions> {
  const { db, clock } = deps
  const relyingParty = getRelyingParty(deps.publicUrl)
  const known = await findPasskeysOf(db, id)
  if (known.length >= MOST_PASSKEYS) throw new DomainError("too_many_passkeys")
  const handle = await db.transaction().execute((tx) => keepHandle(tx, id, randomBytes(32), clock.now()))
  return {
    challenge: await issueChallenge(deps, { purpose: "enrolment", session: { token } }),
    rp: { id: relyingParty.id, name: shown.platform },
    user: { id: handle.toString("base64url"), name: shown.email, displayName: shown.name },
    pubKeyCredParams: signatureAlgorithms.map((alg) => ({ type: "public-key", alg })),
    timeout: challengeSeconds * 1000,
    attestation: "none",
    excludeCredentials: descriptorsOf(known, relyingParty.id),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  }
}

interface Added {
  passkey: Passkey
  /** Stored nowhere; empty unless this is the first second factor. */
  recoveryCodes: string[]
}

/** Sessions that were opened without it end. */
export async function addPasskey(
  deps: Deps,
  owner: Owner,
  { name, credential }: { name: string; credential: PasskeyAttestation },
): Promise<Added> {
  const relyingParty = getRelyingParty(deps.publicUrl)
  const challenge = challengeIn(credential.response.clientDataJSON)
  if (!(await takeChallenge(deps, challenge, { purpose: "enrolment", session: owner }))) throw passkeyRefused()
  const key = await readNewKey(credential, { challenge, relyingParty })
  if (key === null) throw passkeyRefused()
  const { transports = [] } = credential.response
  const passkey: NewPasskey = {
    ...key,
    id: newId(),
    userId: owner.id,
    name,
    transports,
    rpId: relyingParty.id,
    createdAt: deps.clock.now(),
  }
  return deps.db.transaction().execute((tx) => store(tx, passkey, owner))
}

async function store(tx: Tx, passkey: NewPasskey, owner: Owner): Promise<Added> {
  const { createdAt: now, name, userId } = passkey
  await lockFactorsOf(tx, userId)
  if ((await findPasskeysOf(tx, userId)).length >= MOST_PASSKEYS) throw new DomainError("too_many_passkeys")
  const isFirst = (await findFactorsOf(tx, userId)).length === 0
  if (!(await insertPasskeyOnce(tx, passkey))) throw new DomainError("passkey_already_enrolled")
  const actor = { id: owner.id, address: owner.address }
  await closeSessionsOf(tx, userId, { spared: owner, by: actor }, now)
  await noteFactorChange(tx, { owner: actor, change: "added", factor: "passkey", name }, now)
  const recoveryCodes = isFirst ? await replaceRecoveryCodes(tx, userId, now) : []
  return { passkey: { ...passkey, lastUsedAt: null }, recoveryCodes }
}

interface ChangeDeps {
  db: Db
  clock: Clock
}

interface Owner extends Actor {
  /** The token of the session that asks, which stays open. */
  token: string
}

export async function renamePasskey(
  { db, clock }: ChangeDeps,
  owner: Actor,
  input: { id: string; name: string },
): Promise<Passkey> {
  return db.transaction().execute((tx) => rename(tx, owner, input, clock.now()))
}

async function rename(tx: Tx, owner: Actor, { id, name }: { id: string; name: string }, now: Date): Promise<Passkey> {
  const passkey = await lockPasskey(tx, id, owner.id)
  if (passkey.name === name) return passkey
  await renamePasskeyRow(tx, id, name)
  await recordAudit(tx, {
    actor: owner,
    happenedAt: now,
    action: "second_factor.renamed",
    entity: "user",
    entityId: owner.id,
    before: { name: passkey.name },
    after: { name },
  })
  return { ...passkey, name }
}

/** Other sessions end, as with a changed password. */
export async function removePasskey({ db, clock }: ChangeDeps, owner: Owner, id: string): Promise<void> {
  await db.transaction().execute((tx) => remove(tx, owner, id, clock.now()))
}

async function remove(tx: Tx, owner: Owner, id: string, now: Date): Promise<void> {
  await lockFactorsOf(tx, owner.id)
  const { name } = await lockPasskey(tx, id, owner.id)
  await deletePasskeyRow(tx, id)
  await deleteUselessCodes(tx, owner.id)
  const actor = { id: owner.id, address: owner.address }
  await closeSessionsOf(tx, owner.id, { spared: owner, by: actor }, now)
  await noteFactorChange(tx, { owner: actor, change: "removed", factor: "passkey", name }, now)
}

async function lockPasskey(tx: Tx, id: string, userId: string): Promise<Passkey> {
  const passkey = isId(id) ? await lockOwnPasskey(tx, { id, userId }) : undefined
  if (passkey === undefined) throw new DomainError("passkey_not_found")
  return passkey
}

export type KnownPasskey = Omit<Passkey, "credentialId" | "transports">

/** The oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<KnownPasskey[]> {
  return findPasskeysOf(db, userId)
}
