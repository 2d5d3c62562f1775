import type { PasskeyRequestOptions } from "@tilinta/contract/api/passkeys-endpoints"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { descriptorsOf } from "./enrol-passkey.ts"
import { type ChallengeFor, challengeSeconds, issueChallenge } from "./passkey-challenge.ts"
import { findPasskeysOf, type Passkey } from "./passkeys-repository.ts"
import { getRelyingParty } from "./relying-party.ts"

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
