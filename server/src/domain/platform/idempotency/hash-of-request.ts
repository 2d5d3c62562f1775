import { createHash } from "node:crypto"

/** Two requests are the same when their hashes are. */
export function hashOfRequest(request: object): Buffer {
  return createHash("sha256").update(JSON.stringify(request)).digest()
}
