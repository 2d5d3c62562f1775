import { queryOptions } from "@tanstack/react-query"
import type {
  createSettingEndpoint,
  initializeSettingsEndpoint,
  listSettingsEndpoint,
  updateSettingEndpoint,
} from "@tilinta/contract/api/settings-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const listSettings = leanEndpoint<typeof listSettingsEndpoint>("GET", "/api/v1/settings")
export const createSetting = leanEndpoint<typeof createSettingEndpoint>("POST", "/api/v1/settings")
export const updateSetting = leanEndpoint<typeof updateSettingEndpoint>("PATCH", "/api/v1/settings/:key")
export const initializeSettings = leanEndpoint<typeof initializeSettingsEndpoint>("POST", "/api/v1/settings/initialize")

export const settingsQuery = queryOptions({
  queryKey: ["admin", "settings"],
  queryFn: ({ signal }) => call(listSettings, { signal }).then(({ data }) => data.settings),
})
