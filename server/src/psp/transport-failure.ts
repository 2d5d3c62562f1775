import { PspError } from "./psp.ts"

/** A connection that was never made, or whose handshake failed, can't have carried the request. */
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

/** The server's no to our certificate: with TLS 1.3 it comes after our first bytes, and ends the handshake all the same. */
const refusedCertificate =
  /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED|CERTIFICATE_UNKNOWN|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|HANDSHAKE_FAILURE|PROTOCOL_VERSION|NO_CERTIFICATE)/

export function failureOfTransport(error: unknown): PspError {
  const code = codeOf(error)
  const wasMade = !unmade.has(code) && !refusedCertificate.test(code)
  const reason = code === "" ? "" : ` (${code})`
  return new PspError(wasMade ? "unknown" : "unavailable", `no answer from the provider${reason}`, { cause: error })
}

/** Errors of the line wrap the one that says why. */
function codeOf(error: unknown): string {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && typeof inner.code === "string") return inner.code
    if (inner.name === "TimeoutError") return "timeout"
  }
  return ""
}
