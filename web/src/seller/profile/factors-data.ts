import { queryOptions } from "@tanstack/react-query"
import type {
  beginTotpEndpoint,
  confirmTotpEndpoint,
  readFactorsEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
} from "@tilinta/contract/api/second-factors-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const readFactors = leanEndpoint<typeof readFactorsEndpoint>("GET", "/api/v1/users/me/factors")
const begin = leanEndpoint<typeof beginTotpEndpoint>("POST", "/api/v1/users/me/totp")
const confirm = leanEndpoint<typeof confirmTotpEndpoint>("POST", "/api/v1/users/me/totp/confirm")
const remove = leanEndpoint<typeof removeTotpEndpoint>("DELETE", "/api/v1/users/me/totp")
const renew = leanEndpoint<typeof renewRecoveryCodesEndpoint>("POST", "/api/v1/users/me/recovery-codes")

export type KnownFactors = ReplyOf<typeof readFactorsEndpoint>["data"]
export type BegunTotp = ReplyOf<typeof beginTotpEndpoint>["data"]

export const factorsQuery = queryOptions({
  queryKey: ["seller", "factors"],
  queryFn: async ({ signal }) => (await call(readFactors, { signal })).data,
})

export async function beginTotp(): Promise<BegunTotp> {
  return (await call(begin)).data
}

/** Returns the recovery codes, which are shown once. */
export async function confirmTotp(code: string): Promise<string[]> {
  return (await call(confirm, { body: { code } })).data.recoveryCodes
}

export async function removeTotp(): Promise<void> {
  await call(remove)
}

export async function renewRecoveryCodes(): Promise<string[]> {
  return (await call(renew)).data.recoveryCodes
}
