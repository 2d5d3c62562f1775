import { queryOptions } from "@tanstack/react-query"
import type { getReturnOriginsEndpoint } from "@tilinta/contract/api/return-origins-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call, type ReplyOf } from "#api/client.ts"

export type ReturnOrigins = ReplyOf<typeof getReturnOriginsEndpoint>["data"]

export const returnOriginsQuery = queryOptions({
  queryKey: ["seller", "return-origins"],
  queryFn: async ({ signal }) => (await call(heads.getReturnOrigins, { signal })).data,
})

/** Empty where a step-up is the proof. */
export interface Proof {
  passwordCurrent?: string
}

export async function changeReturnOrigins(origins: string[], proof: Proof): Promise<ReturnOrigins> {
  return (await call(heads.changeReturnOrigins, { body: { origins, ...proof } })).data
}

export async function rotateReturnKey(proof: Proof): Promise<ReturnOrigins> {
  return (await call(heads.rotateReturnKey, { body: { ...proof } })).data
}
