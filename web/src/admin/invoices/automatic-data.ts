import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

export const automaticKey = ["admin", "mandates"] as const

export const automaticQuery = queryOptions({
  queryKey: automaticKey,
  queryFn: async ({ signal }) => (await call(heads.listAllMandates, { query: { limit: "200" }, signal })).data,
})
