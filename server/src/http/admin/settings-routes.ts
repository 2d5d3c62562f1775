import {
  createSettingEndpoint,
  initializeSettingsEndpoint,
  listSettingsEndpoint,
  type SettingView,
  updateSettingEndpoint,
} from "@tilinta/contract/api/settings-endpoints"
import type { FastifyInstance } from "fastify"
import {
  type ChangedSetting,
  changeGuardedSetting,
  createGuardedSetting,
} from "#domain/people/second-approvals/change-guarded-setting"
import { tellOfSetting } from "#domain/platform/mails/tell-owner"
import { initializeSettings, listSettings } from "#domain/platform/settings/manage-settings"
import { pendingWriter } from "#http/approval-view"
import type { HttpDeps } from "#http/deps"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { adminOf } from "./require-admin.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "protection" | "nameUsers">

export function settingsRoutes(app: FastifyInstance, wired: Deps): void {
  const deps = { ...wired, tellOfSetting }
  const pendingOf = pendingWriter(wired.nameUsers)
  const viewOf = async ({ setting, waits }: ChangedSetting) => ({
    setting: toSettingView(setting),
    ...(await pendingOf(waits)),
  })

  serveEndpoint(app, listSettingsEndpoint, async () => {
    const settings = await listSettings(deps.db)
    return { settings: settings.map(toSettingView) }
  })

  serveEndpoint(app, createSettingEndpoint, async ({ body, request }) => {
    const input = { ...body, idempotencyKey: idempotencyKeyOf(request) }
    return viewOf(await createGuardedSetting(deps, adminOf(request), input))
  })

  serveEndpoint(app, updateSettingEndpoint, async ({ params, body, request }) => {
    return viewOf(await changeGuardedSetting(deps, adminOf(request), { key: params.key, changes: body }))
  })

  serveEndpoint(app, initializeSettingsEndpoint, async ({ request }) => initializeSettings(deps, adminOf(request)))
}

type ListedSetting = Awaited<ReturnType<typeof listSettings>>[number]

function toSettingView({ updatedAt, ...setting }: ListedSetting): SettingView {
  return { _id: setting.key, ...setting, updatedAt: updatedAt.toISOString() }
}
