import type { deleteMyAccountEndpoint } from "@tilinta/contract/api/users-endpoints"
import { call } from "#api/client.ts"
import { download } from "#api/download.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { saoPauloDay } from "#format/period.ts"

const deleteMe = leanEndpoint<typeof deleteMyAccountEndpoint>("DELETE", "/api/v1/users/me")

export function downloadOwnData(): Promise<void> {
  return download("/api/v1/users/me/export", {}, `meus_dados_${saoPauloDay(new Date())}.zip`)
}

export function deleteOwnAccount() {
  return call(deleteMe)
}
