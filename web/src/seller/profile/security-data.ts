import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { PasskeyAttestation, PasskeyCreationOptions } from "@tilinta/contract/passkeys"
import type { beginTotpEndpoint, readFactorsEndpoint } from "@tilinta/contract/second-factors"
import type { listMySessionsEndpoint } from "@tilinta/contract/sessions"
import { call, type ReplyOf } from "#api/client.ts"
import { PasskeyProblem, problemOf, refuseElsewhere, toBytes, toDescriptors, toText } from "#api/passkeys.ts"

export type KnownFactors = ReplyOf<typeof readFactorsEndpoint>["data"]
export type BegunTotp = ReplyOf<typeof beginTotpEndpoint>["data"]

export const factorsQuery = queryOptions({
  queryKey: ["seller", "factors"],
  queryFn: async ({ signal }) => (await call(heads.readFactors, { signal })).data,
})

export async function beginTotp(): Promise<BegunTotp> {
  return (await call(heads.beginTotp)).data
}

/** Returns the recovery codes, which are shown once. */
export async function confirmTotp(code: string): Promise<string[]> {
  return (await call(heads.confirmTotp, { body: { code } })).data.recoveryCodes
}

export async function removeTotp(): Promise<void> {
  await call(heads.removeTotp)
}

export async function renewRecoveryCodes(): Promise<string[]> {
  return (await call(heads.renewRecoveryCodes)).data.recoveryCodes
}

export const passkeysQuery = queryOptions({
  queryKey: ["seller", "passkeys"],
  queryFn: async ({ signal }) => (await call(heads.listPasskeys, { signal })).data,
})

/** Asked for before the name is: browsers want little time between a click and their own question. */
export async function beginPasskey(): Promise<PasskeyCreationOptions> {
  return (await call(heads.passkeyOptions)).data.publicKey
}

/** Returns the recovery codes, which are shown once; none unless it is the first second factor. */
export async function addPasskey(options: PasskeyCreationOptions, name: string): Promise<string[]> {
  const credential = await makePasskey(options)
  return (await call(heads.addPasskey, { body: { name, credential } })).data.recoveryCodes
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await call(heads.renamePasskey, { params: { id }, body: { name } })
}

export async function removePasskey(id: string): Promise<void> {
  await call(heads.removePasskey, { params: { id } })
}

export type OpenSession = ReplyOf<typeof listMySessionsEndpoint>["data"]["sessions"][number]

export const sessionsQuery = queryOptions({
  queryKey: ["seller", "sessions"],
  queryFn: async ({ signal }) => (await call(heads.listMySessions, { signal })).data.sessions,
})

/** Ends the session with this id; with null, all other sessions. */
export function endSessions(id: string | null) {
  return id === null ? call(heads.endMyOtherSessions) : call(heads.endMySession, { params: { id } })
}

const alreadyHere = "Este aparelho já tem uma chave de acesso desta conta."

/** Makes a passkey; its secret half never leaves the authenticator. */
async function makePasskey(options: PasskeyCreationOptions): Promise<PasskeyAttestation> {
  const { user, challenge, excludeCredentials } = options
  refuseElsewhere(options.rp.id)
  const publicKey = {
    ...options,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: toDescriptors(excludeCredentials),
  }
  const made = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === "InvalidStateError"
    throw isKnown ? new PasskeyProblem(alreadyHere) : problemOf(error, options.rp.id)
  })
  const { id, rawId, response } = made as PublicKeyCredential & { response: AuthenticatorAttestationResponse }
  return {
    id,
    rawId: toText(rawId),
    type: "public-key",
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
      // Missing in what some password managers answer.
      transports: (response.getTransports as (() => string[]) | undefined)?.call(response) ?? [],
    },
  }
}
