import { randomBytes } from "node:crypto"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { hashOfToken } from "#kit/secret-token"
import {
  type ChallengeRow,
  deleteChallenge,
  deleteExpiredChallenges,
  insertChallenge,
  type PasskeyPurpose,
} from "./passkeys-repository.ts"

/** Enough to find the phone, and about as long as browsers wait. */
export const challengeSeconds = 5 * 60

interface Deps {
  db: Db
  clock: Clock
}

export interface ChallengeFor {
  purpose: PasskeyPurpose
  /** Null for a sign-in; otherwise only this session can use the challenge. */
  session: { token: string } | null
}

/** Returns the text to sign, in base64url. */
export async function issueChallenge({ db, clock }: Deps, wanted: ChallengeFor): Promise<string> {
  const challenge = randomBytes(32)
  const expiresAt = secondsAfter(clock.now(), challengeSeconds)
  await db.transaction().execute((tx) => insertChallenge(tx, rowOf(challenge, wanted), expiresAt))
  return challenge.toString("base64url")
}

/**
 * False when it was never issued for this, was used before or is too old. Committed before anything is checked, so that a
 * failure uses it up, too.
 */
export async function takeChallenge({ db, clock }: Deps, challenge: string, wanted: ChallengeFor): Promise<boolean> {
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

export async function tidyPasskeyChallenges({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) => deleteExpiredChallenges(tx, now))
}
