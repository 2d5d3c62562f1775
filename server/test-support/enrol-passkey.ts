import type { PasskeyAssertion } from "@tilinta/contract/passkeys"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { addPasskey, beginPasskey } from "#people/second-factors/enrol-passkey"
import { askForSignIn, askForStepUp } from "#people/second-factors/prove-passkey"
import { newAuthenticator, type SoftwareAuthenticator } from "./software-authenticator.ts"

export const testPublicUrl = "http://localhost:3000"

interface Site {
  db: Db
  clock: Clock
}

interface Owner {
  id: string
  token: string
}

const shown = { platform: "Tilinta", email: "ana@loja.example", name: "Ana Souza" }

/** As if the user had made it in the session with this token. */
export async function enrolPasskey(
  { db, clock }: Site,
  { id, token }: Owner,
  name = "Celular da Ana",
): Promise<{ authenticator: SoftwareAuthenticator; passkeyId: string; recoveryCodes: string[] }> {
  const deps = { db, clock, publicUrl: testPublicUrl }
  const owner = { id, token, address: "127.0.0.1" }
  const authenticator = newAuthenticator()
  const credential = authenticator.create(await beginPasskey(deps, owner, shown))
  const { passkey, recoveryCodes } = await addPasskey(deps, owner, { name, credential })
  return { authenticator, passkeyId: passkey.id, recoveryCodes }
}

/** Sent by a browser to sign in. */
export async function signInAssertion(
  { db, clock }: Site,
  authenticator: SoftwareAuthenticator,
): Promise<PasskeyAssertion> {
  return authenticator.get(await askForSignIn({ db, clock, publicUrl: testPublicUrl }))
}

/** Sent by a browser to step up in the session with this token. */
export async function stepUpAssertion(
  { db, clock }: Site,
  { id, token }: Owner,
  authenticator: SoftwareAuthenticator,
): Promise<PasskeyAssertion> {
  return authenticator.get(await askForStepUp({ db, clock, publicUrl: testPublicUrl }, { userId: id, token }))
}
