import { createHash } from "node:crypto"

/** Requests are the same when their hashes are equal. */
export function hashOfRequest(request: object): Buffer {
  return createHash("sha256").update(JSON.stringify(request)).digest()
}
