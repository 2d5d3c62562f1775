import type { Role } from "@tilinta/contract/vocabulary/roles"

const hour = 3600
const day = 24 * hour

/** An admin's stolen session is worth more, so it expires sooner. */
export const sessionLifetime = {
  user: { idleSeconds: 7 * day, absoluteSeconds: 30 * day },
  admin: { idleSeconds: 12 * hour, absoluteSeconds: day },
} as const satisfies Record<Role, { idleSeconds: number; absoluteSeconds: number }>
