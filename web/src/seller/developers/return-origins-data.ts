import { queryOptions } from "@tanstack/react-query"
import type {
  changeReturnOriginsEndpoint,
  getReturnOriginsEndpoint,
  rotateReturnKeyEndpoint,
} from "@tilinta/contract/api/return-origins-endpoints"
import { call, type ReplyOf } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const path = "/api/v1/users/me/return-origins"
const read = leanEndpoint<typeof getReturnOriginsEndpoint>("GET", path)
const change = leanEndpoint<typeof changeReturnOriginsEndpoint>("PUT", path)
const rotate = leanEndpoint<typeof rotateReturnKeyEndpoint>("POST", `${path}/rotate`)

export type ReturnOrigins = ReplyOf<typeof getReturnOriginsEndpoint>["data"]

export const returnOriginsQuery = queryOptions({
  queryKey: ["seller", "return-origins"],
  queryFn: async ({ signal }) => (await call(read, { signal })).data,
})

/** Empty where a step-up is the proof. */
export interface Proof {
  passwordCurrent?: string
}

export async function changeReturnOrigins(origins: string[], proof: Proof): Promise<ReturnOrigins> {
  return (await call(change, { body: { origins, ...proof } })).data
}

export async function rotateReturnKey(proof: Proof): Promise<ReturnOrigins> {
  return (await call(rotate, { body: { ...proof } })).data
}
