import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api-keys"

export interface ApiKey {
  id: string
  userId: string
  name: string
  hint: string
  scopes: ApiKeyScope[]
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  lastUsedAddress: string | null
}

/** More than a seller's programs; beyond it somebody creates keys instead of storing one. */
export const MOST_API_KEYS = 50
