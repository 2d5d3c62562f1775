import type { Order } from "#platform/order-macs/macs"

/** The facts that decide whose session it is, for how long, and what it opens. */
export interface Session {
  id: string
  tokenHash: Buffer
  userId: string
  /** The administrator who looks at the user's account; null where the user signed in. */
  viewerId: string | null
  createdAt: Date
  expiresAt: Date
  steppedUpAt: Date | null
}

/** Signed, so that writing into the database alone opens and confirms no session. */
export function sessionOrder({ id, tokenHash, userId, viewerId, ...moments }: Session): Order {
  const { createdAt, expiresAt, steppedUpAt } = moments
  return {
    act: "session",
    id,
    facts: [tokenHash.toString("base64url"), userId, viewerId, createdAt, expiresAt, steppedUpAt],
  }
}
