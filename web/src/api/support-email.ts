import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "./client.ts"

export const supportEmailQuery = queryOptions({
  queryKey: ["public", "support-email"],
  queryFn: async ({ signal }) => {
    const { data } = await call(heads.getPublicSetting, { params: { key: "SUPPORT_EMAIL" }, signal })
    return String(data.setting.value)
  },
  staleTime: 60_000,
})
