import type { PasskeyAttestation, PasskeyCreationOptions } from "@tilinta/contract/passkeys"
import { PasskeyProblem, problemOf, refuseElsewhere, toBytes, toDescriptors, toText } from "#api/passkeys.ts"

const alreadyHere = "Este aparelho já tem uma chave de acesso desta conta."

/** Makes a passkey; its secret half never leaves the authenticator. */
export async function makePasskey(options: PasskeyCreationOptions): Promise<PasskeyAttestation> {
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
