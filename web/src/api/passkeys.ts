import type { PasskeyAssertion, PasskeyRequestOptions } from "@tilinta/contract/passkeys"

/**
 * Bytes as base64url and back: the platform's own parseRequestOptionsFromJSON and toJSON are missing before Safari 18.4, and
 * in what some password managers answer.
 */
export function toText(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("")
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

export function toDescriptors(known: PasskeyRequestOptions["allowCredentials"]): PublicKeyCredentialDescriptor[] {
  return known.map(({ id, type, transports }) => ({
    id: toBytes(id),
    type,
    transports: transports as AuthenticatorTransport[],
  }))
}

export function offersPasskeys(): boolean {
  return typeof PublicKeyCredential === "function"
}

/** Whether the browser can offer passkeys among what it fills in. */
export async function offersAutofill(): Promise<boolean> {
  if (!offersPasskeys()) return false
  // Missing in browsers of before 2022, whatever the types say.
  const ask = PublicKeyCredential.isConditionalMediationAvailable as (() => Promise<boolean>) | undefined
  return ask === undefined ? false : ask.call(PublicKeyCredential)
}

/** The reason why the browser didn't do it, in words for people; its own are English and say little. */
export class PasskeyProblem extends Error {
  override name = "PasskeyProblem"
}

const cancelled = "A chave de acesso não foi usada: o pedido foi cancelado ou demorou."

export function problemOf(error: unknown, rpId: string): PasskeyProblem {
  const name = error instanceof Error ? error.name : ""
  if (name === "NotAllowedError" || name === "AbortError") return new PasskeyProblem(cancelled)
  if (name === "SecurityError") return new PasskeyProblem(elsewhere(rpId))
  return new PasskeyProblem("O navegador não conseguiu usar a chave de acesso.")
}

function elsewhere(rpId: string): string {
  return `Chaves de acesso só funcionam em ${rpId}, e você abriu ${location.hostname}.`
}

export function refuseElsewhere(rpId: string): void {
  if (!offersPasskeys()) throw new PasskeyProblem("Este navegador não oferece chaves de acesso.")
  if (location.hostname !== rpId) throw new PasskeyProblem(elsewhere(rpId))
}

/** Has the challenge signed by a passkey of the user's choice. */
export async function askPasskey(
  options: PasskeyRequestOptions,
  conditions: { mediation?: CredentialMediationRequirement; signal?: AbortSignal } = {},
): Promise<PasskeyAssertion> {
  refuseElsewhere(options.rpId)
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: toDescriptors(options.allowCredentials),
  }
  const used = await navigator.credentials.get({ ...conditions, publicKey }).catch((error: unknown) => {
    throw problemOf(error, options.rpId)
  })
  const { id, rawId, response } = used as PublicKeyCredential & { response: AuthenticatorAssertionResponse }
  return {
    id,
    rawId: toText(rawId),
    type: "public-key",
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      userHandle: response.userHandle === null ? null : toText(response.userHandle),
    },
  }
}
