import { PspError } from "./psp.ts"

/** Errors before a connection or handshake was complete: the request can't have been sent. */
const unmade = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_UNTRUSTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "HOSTNAME_MISMATCH",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_SSL_UNSUPPORTED_PROTOCOL",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "EPROTO",
])

/**
 * The bank's refusal of our certificate: with TLS 1.3 it arrives after our first bytes, and still ends the handshake.
 */
const refusedCertificate =
  /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED|CERTIFICATE_UNKNOWN|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|HANDSHAKE_FAILURE|PROTOCOL_VERSION|NO_CERTIFICATE)/

export function failureOfTransport(error: unknown): PspError {
  const code = codeOf(error)
  const wasMade = !unmade.has(code) && !refusedCertificate.test(code)
  const reason = code === "" ? "" : ` (${code})`
  return new PspError(wasMade ? "unknown" : "unavailable", `no answer from the provider${reason}`, { cause: error })
}

/** Connection errors wrap the one that has the code. */
function codeOf(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && typeof inner.code === "string") return inner.code
    if (inner.name === "TimeoutError") return "timeout"
  }
  return ""
}
