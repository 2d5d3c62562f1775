import type * as WebauthnHelpers from "@simplewebauthn/server/helpers"
import type { PasskeyAssertion, PasskeyAttestation } from "@tilinta/contract/api/passkeys-endpoints"
import type { RelyingParty } from "./relying-party.ts"

/** COSE's numbers of EdDSA, ES256 and RS256: every authenticator in use makes one of them. */
export const signatureAlgorithms = [-8, -7, -257]

type Helpers = typeof WebauthnHelpers

interface Asked {
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
export async function readNewKey(attestation: PasskeyAttestation, asked: Asked): Promise<NewKey | null> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server")
  const helpers = await import("@simplewebauthn/server/helpers")
  try {
    const { clientDataJSON, attestationObject } = attestation.response
    const response = { clientDataJSON, attestationObject: withoutStatement(helpers, attestationObject) }
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectedOf(asked),
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
export async function readSignCount(
  assertion: PasskeyAssertion,
  { credentialId, publicKey }: { credentialId: Buffer; publicKey: Buffer },
  asked: Asked,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server")
  const { clientDataJSON, authenticatorData, signature } = assertion.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectedOf(asked),
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

function expectedOf({ challenge, relyingParty }: Asked) {
  const { origin, id } = relyingParty
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
}
