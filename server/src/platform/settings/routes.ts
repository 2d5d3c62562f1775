import {
  createSettingEndpoint,
  getPublicSettingEndpoint,
  initializeSettingsEndpoint,
  listSettingsEndpoint,
  type SettingView,
  updateSettingEndpoint,
} from "@tilinta/contract/settings"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Protection } from "#kit/request-scope"
import {
  type ChangedSetting,
  changeGuardedSetting,
  createGuardedSetting,
} from "#people/second-approvals/change-guarded-setting"
import { pendingWriter } from "#people/second-approvals/routes"
import { adminOf, idempotencyKeyOf } from "#people/sessions/caller"
import { notifyOfSetting } from "#platform/mails/notify-owner"
import type { HttpDeps } from "#start/deps"
import { actsUnder, groupOfSetting } from "./defaults.ts"
import { initializeSettings } from "./manage.ts"
import { getPublicSetting, listFullSettings } from "./reads.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "protection" | "nameUsers" | "psp">

export function settingsRoutes(app: FastifyInstance, wired: Deps): void {
  const deps = { ...wired, notifyOfSetting, offersAutomatic: wired.psp.automatic !== null }
  const pendingOf = pendingWriter(wired.nameUsers)
  const viewOfSetting = (setting: ListedSetting) => toSettingView(setting, wired.protection)
  const viewOf = async ({ setting, waits }: ChangedSetting) => ({
    setting: viewOfSetting(setting),
    ...(await pendingOf(waits)),
  })

  serveEndpoint(app, listSettingsEndpoint, async () => {
    const settings = await listFullSettings(deps.db)
    return { settings: settings.map(viewOfSetting) }
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

type ListedSetting = Awaited<ReturnType<typeof listFullSettings>>[number]

function toSettingView({ updatedAt, ...setting }: ListedSetting, protection: Protection): SettingView {
  const { key, category } = setting
  return {
    _id: key,
    ...setting,
    group: groupOfSetting(key, category),
    actsHere: actsUnder(protection, key),
    updatedAt: updatedAt.toISOString(),
  }
}

export function publicSettingsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  serveEndpoint(app, getPublicSettingEndpoint, async ({ params }) => ({
    setting: await getPublicSetting(db, params.key),
  }))
}
