import { queryOptions } from "@tanstack/react-query"
import type { beginTotpEndpoint, readFactorsEndpoint } from "@tilinta/contract/api/second-factors-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

export type KnownFactors = ReplyOf<typeof readFactorsEndpoint>["data"]
export type BegunTotp = ReplyOf<typeof beginTotpEndpoint>["data"]

export const factorsQuery = queryOptions({
  queryKey: ["seller", "factors"],
  queryFn: async ({ signal }) => (await call(heads.readFactors, { signal })).data,
})

export async function beginTotp(): Promise<BegunTotp> {
  return (await call(heads.beginTotp)).data
}

/** Returns the recovery codes, which are shown once. */
export async function confirmTotp(code: string): Promise<string[]> {
  return (await call(heads.confirmTotp, { body: { code } })).data.recoveryCodes
}

export async function removeTotp(): Promise<void> {
  await call(heads.removeTotp)
}

export async function renewRecoveryCodes(): Promise<string[]> {
  return (await call(heads.renewRecoveryCodes)).data.recoveryCodes
}
