import { randomBytes } from "node:crypto"
import type { PasskeyAttestation, PasskeyCreationOptions } from "@tilinta/contract/api/passkeys-endpoints"
import type { Db, Tx } from "#db/transaction"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { noteFactorChange } from "./factor-notice.ts"
import { findFactorsOf } from "./find-factors.ts"
import { challengeIn, challengeSeconds, issueChallenge, takeChallenge } from "./passkey-challenge.ts"
import { passkeyRefused } from "./passkey-refused.ts"
import { findPasskeysOf, insertPasskeyOnce, keepHandle, type NewPasskey, type Passkey } from "./passkeys-repository.ts"
import { getRelyingParty } from "./relying-party.ts"
import { replaceRecoveryCodes } from "./replace-recovery-codes.ts"
import { lockFactorsOf } from "./second-factors-repository.ts"
import { readNewKey, signatureAlgorithms } from "./verify-passkey.ts"

const MOST_PASSKEYS = 10

interface Deps {
  db: Db
  clock: Clock
  publicUrl: string
}

interface Owner extends Actor {
  /** The token of the session that asks, which stays open. */
  token: string
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

/** By which the browser recognises the passkeys that a user has at this address. */
export function descriptorsOf(
  passkeys: readonly Passkey[],
  rpId: string,
): PasskeyCreationOptions["excludeCredentials"] {
  return passkeys
    .filter((passkey) => passkey.rpId === rpId)
    .map(({ credentialId, transports }) => ({
      id: credentialId.toString("base64url"),
      type: "public-key",
      transports,
    }))
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
    ...{ ...key, id: newId(), userId: owner.id, name, transports, rpId: relyingParty.id },
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
