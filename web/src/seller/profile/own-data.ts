import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { download } from "#api/download.ts"
import { saoPauloDay } from "#format/period.ts"

export function downloadOwnData(): Promise<void> {
  return download("/api/v1/users/me/export", {}, `meus_dados_${saoPauloDay(new Date())}.zip`)
}

export function deleteOwnAccount() {
  return call(heads.deleteMyAccount)
}
