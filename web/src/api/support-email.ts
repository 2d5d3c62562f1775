import { queryOptions } from "@tanstack/react-query"
import type { getPublicSettingEndpoint } from "@tilinta/contract/api/settings-endpoints"
import { call } from "./client.ts"
import { leanEndpoint } from "./lean-endpoint.ts"

const getPublicSetting = leanEndpoint<typeof getPublicSettingEndpoint>("GET", "/api/v1/public/settings/:key")

export const supportEmailQuery = queryOptions({
  queryKey: ["public", "support-email"],
  queryFn: async ({ signal }) => {
    const { data } = await call(getPublicSetting, { params: { key: "SUPPORT_EMAIL" }, signal })
    return String(data.setting.value)
  },
  staleTime: 60_000,
})
