import {
  createSettingEndpoint,
  initializeSettingsEndpoint,
  listSettingsEndpoint,
  type SettingView,
  updateSettingEndpoint,
} from "@tilinta/contract/api/settings-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import {
  changeSetting,
  createSetting,
  initializeSettings,
  listSettings,
} from "#domain/platform/settings/manage-settings"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { adminOf } from "./require-admin.ts"

export function settingsRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listSettingsEndpoint, async () => {
    const settings = await listSettings(deps.db)
    return { settings: settings.map(toSettingView) }
  })

  serveEndpoint(app, createSettingEndpoint, async ({ body, request }) => {
    const input = { ...body, idempotencyKey: idempotencyKeyOf(request) }
    return { setting: toSettingView(await createSetting(deps, adminOf(request), input)) }
  })

  serveEndpoint(app, updateSettingEndpoint, async ({ params, body, request }) => {
    const setting = await changeSetting(deps, adminOf(request), { key: params.key, changes: body })
    return { setting: toSettingView(setting) }
  })

  serveEndpoint(app, initializeSettingsEndpoint, async ({ request }) => initializeSettings(deps, adminOf(request)))
}

type ListedSetting = Awaited<ReturnType<typeof listSettings>>[number]

function toSettingView({ updatedAt, ...setting }: ListedSetting): SettingView {
  return { _id: setting.key, ...setting, updatedAt: updatedAt.toISOString() }
}
