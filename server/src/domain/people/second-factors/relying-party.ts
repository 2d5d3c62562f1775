import { isIP } from "node:net"
import { DomainError } from "#kit/domain-error"

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
