import { randomBytes } from "node:crypto"
import { isIP } from "node:net"
import type * as WebauthnHelpers from "@simplewebauthn/server/helpers"
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from "@tilinta/contract/passkeys"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { hashOfToken, type SecretKeys } from "#kit/secrets"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { isAuthentic, renewMacs, reportForgedOrder } from "#platform/order-macs/macs"
import {
  type ChallengeRow,
  deleteChallenge,
  findPasskeysOf,
  findStoredKey,
  insertChallenge,
  lockOwnPasskey,
  lockPasskeysOfFormerKey,
  noteUse,
  type Passkey,
  type PasskeyPurpose,
  passkeyOrder,
  type SignedKey,
  savePasskeyMac,
} from "./passkeys-table.ts"

export interface ProvenPasskey {
  id: string
  userId: string
  name: string
  enrolledAt: Date
  signCount: number
}

/**
 * Null when the assertion proves nothing. The challenge is used up in any case. Nothing counts before `spendPasskey` has
 * succeeded in the transaction that lets the user in.
 */
export async function provePasskey(
  deps: { db: Db; clock: Clock; publicUrl: string },
  assertion: PasskeyAssertion,
  wanted: ChallengeFor,
): Promise<ProvenPasskey | null> {
  const relyingParty = getRelyingParty(deps.publicUrl)
  const challenge = challengeIn(assertion.response.clientDataJSON)
  if (!(await takeChallenge(deps, challenge, wanted))) return null
  const key = await findStoredKey(deps.db, Buffer.from(assertion.id, "base64url"))
  if (key === undefined || !isHandle(key.handle, assertion, wanted)) return null
  const signCount = await readSignCount(assertion, key, { challenge, relyingParty })
  if (signCount === null) return null
  const order = passkeyOrder(key)
  if (!isAuthentic(order, key.mac)) {
    await deps.db.transaction().execute((tx) => reportForgedOrder(tx, order, deps.clock.now()))
    return null
  }
  const { id, userId, name, createdAt: enrolledAt } = key
  return { id, userId, name, enrolledAt, signCount }
}

/** The authenticator must say who it is where nobody else has. */
function isHandle(handle: Buffer, { response }: PasskeyAssertion, { purpose }: ChallengeFor): boolean {
  const said = response.userHandle ?? null
  return said === null ? purpose !== "sign_in" : handle.equals(Buffer.from(said, "base64url"))
}

/** For a rotation of SECRETS_KEY; how many passkeys got another MAC. */
export async function renewPasskeyMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  return renewMacs<SignedKey>(secretKeys, {
    rows: await lockPasskeysOfFormerKey(tx, secretKeys),
    orderOf: passkeyOrder,
    save: (row, mac) => savePasskeyMac(tx, row, mac ?? row.mac),
  })
}

/** False when the passkey was removed meanwhile, or its counter went back, which only a copy of it does. */
export async function spendPasskey(tx: Tx, proven: ProvenPasskey, owner: Actor, now: Date): Promise<boolean> {
  if (await noteUse(tx, proven, now)) return true
  const passkey = await lockOwnPasskey(tx, proven)
  if (passkey === undefined) return false
  await recordAudit(tx, {
    actor: null,
    happenedAt: now,
    action: "second_factor.copied",
    entity: "user",
    entityId: owner.id,
    before: null,
    after: { method: "passkey", name: passkey.name, address: owner.address },
  })
  return false
}

interface Deps {
  db: Db
  clock: Clock
  publicUrl: string
}

/** The same for everybody, so that it tells nothing about accounts. */
export async function askForSignIn(deps: Deps): Promise<PasskeyRequestOptions> {
  return ask(deps, { purpose: "sign_in", session: null }, [])
}

/** Only this session can use the answer. */
export async function askForStepUp(
  deps: Deps,
  { userId, token }: { userId: string; token: string },
): Promise<PasskeyRequestOptions> {
  const passkeys = await findPasskeysOf(deps.db, userId)
  if (passkeys.length === 0) throw new DomainError("passkey_not_found")
  return ask(deps, { purpose: "step_up", session: { token } }, passkeys)
}

async function ask(deps: Deps, wanted: ChallengeFor, passkeys: readonly Passkey[]): Promise<PasskeyRequestOptions> {
  const { id: rpId } = getRelyingParty(deps.publicUrl)
  const challenge = await issueChallenge(deps, wanted)
  const allowCredentials = descriptorsOf(passkeys, rpId)
  return { challenge, rpId, timeout: challengeSeconds * 1000, userVerification: "required", allowCredentials }
}

/** Enough to find the phone, and about as long as browsers wait. */
export const challengeSeconds = 5 * 60

interface ChallengeDeps {
  db: Db
  clock: Clock
}

interface ChallengeFor {
  purpose: PasskeyPurpose
  /** Null for a sign-in; otherwise only this session can use the challenge. */
  session: { token: string } | null
}

/** Returns the text to sign, in base64url. */
export async function issueChallenge({ db, clock }: ChallengeDeps, wanted: ChallengeFor): Promise<string> {
  const challenge = randomBytes(32)
  const expiresAt = secondsAfter(clock.now(), challengeSeconds)
  await db.transaction().execute((tx) => insertChallenge(tx, rowOf(challenge, wanted), expiresAt))
  return challenge.toString("base64url")
}

/**
 * False when it was never issued for this, was used before or is too old. Committed before anything is checked, so that a
 * failure uses it up, too.
 */
export async function takeChallenge(
  { db, clock }: ChallengeDeps,
  challenge: string,
  wanted: ChallengeFor,
): Promise<boolean> {
  const row = rowOf(Buffer.from(challenge, "base64url"), wanted)
  return db.transaction().execute((tx) => take(tx, row, clock.now()))
}

async function take(tx: Tx, row: ChallengeRow, now: Date): Promise<boolean> {
  const expiresAt = await deleteChallenge(tx, row)
  return expiresAt !== undefined && now < expiresAt
}

function rowOf(challenge: Buffer, { purpose, session }: ChallengeFor): ChallengeRow {
  return { challenge, purpose, sessionHash: session === null ? null : hashOfToken(session.token) }
}

/** The challenge that the browser says was signed; empty when unreadable. */
export function challengeIn(clientDataJson: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, "base64url").toString("utf8"))
    const { challenge } = data as { challenge?: unknown }
    return typeof challenge === "string" ? challenge : ""
  } catch {
    return ""
  }
}

/** One answer to whatever is wrong, so that it tells nothing about accounts and their passkeys. */
export function passkeyRefused(): DomainError {
  return new DomainError("second_factor_invalid", {
    message:
      "Não foi possível confirmar a chave de acesso: ela não é desta conta, foi removida ou demorou. Tente de novo.",
  })
}

/** COSE's numbers of EdDSA, ES256 and RS256: every authenticator in use makes one of them. */
export const signatureAlgorithms = [-8, -7, -257]

type Helpers = typeof WebauthnHelpers

interface Expected {
  /** In base64url. */
  challenge: string
  relyingParty: RelyingParty
}

interface NewKey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
}

/** Null when the answer isn't one to this challenge, at this address, by a person whom the authenticator recognised. */
export async function readNewKey(attestation: PasskeyAttestation, expected: Expected): Promise<NewKey | null> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server")
  const helpers = await import("@simplewebauthn/server/helpers")
  try {
    const { clientDataJSON, attestationObject } = attestation.response
    const response = { clientDataJSON, attestationObject: withoutStatement(helpers, attestationObject) }
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectedOf(expected),
      response: { ...attestation, response, clientExtensionResults: {} },
      supportedAlgorithmIDs: signatureAlgorithms,
    })
    if (registrationInfo === undefined) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { credentialId: Buffer.from(id, "base64url"), publicKey: Buffer.from(publicKey), signCount: counter }
  } catch {
    return null
  }
}

/**
 * We ask for no statement about the authenticator's make. One that comes all the same is left out instead of checked: the
 * library would fetch whatever address its certificates name.
 */
function withoutStatement({ decodeAttestationObject, isoCBOR }: Helpers, attestationObject: string): string {
  const authData = decodeAttestationObject(Buffer.from(attestationObject, "base64url")).get("authData")
  const bare = new Map<string, unknown>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ])
  return Buffer.from(isoCBOR.encode(bare as Parameters<typeof isoCBOR.encode>[0])).toString("base64url")
}

/**
 * The authenticator's counter, which the caller must compare with the last one; null when the signature isn't one by this
 * key, of this challenge, at this address, by a person whom the authenticator recognised.
 */
async function readSignCount(
  assertion: PasskeyAssertion,
  { credentialId, publicKey }: { credentialId: Buffer; publicKey: Buffer },
  expected: Expected,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server")
  const { clientDataJSON, authenticatorData, signature } = assertion.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectedOf(expected),
      response: {
        ...assertion,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      // The database compares the counters, when the signature is known to be right.
      credential: { id: credentialId.toString("base64url"), publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

function expectedOf({ challenge, relyingParty }: Expected) {
  const { origin, id } = relyingParty
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
}

/** The address that a passkey is for: browsers offer it, and we accept it, nowhere else. */
export interface RelyingParty {
  /** The host name. */
  id: string
  origin: string
}

/** Null where browsers refuse passkeys: under a number instead of a name, and without TLS outside this machine. */
export function findRelyingParty(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isNumber = isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0
  const isSafe = protocol === "https:" || /(^|\.)localhost$/.test(hostname)
  return isNumber || !isSafe ? null : { id: hostname, origin }
}

export function getRelyingParty(publicUrl: string): RelyingParty {
  const relyingParty = findRelyingParty(publicUrl)
  if (relyingParty === null) throw new DomainError("passkeys_unavailable")
  return relyingParty
}

/** By which the browser recognises the passkeys that a user has at this address. */
export function descriptorsOf(
  passkeys: readonly Passkey[],
  rpId: string,
): PasskeyCreationOptions["excludeCredentials"] {
  return passkeys
    .filter((passkey) => passkey.rpId === rpId)
    .map(({ credentialId, transports }) => ({ id: credentialId.toString("base64url"), type: "public-key", transports }))
}
