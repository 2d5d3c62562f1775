import { getPublicSettingEndpoint } from "@tilinta/contract/api/settings-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { getPublicSetting } from "#domain/platform/settings/get-public-setting"
import { serveEndpoint } from "#http/serve-endpoint"

export function publicSettingsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  serveEndpoint(app, getPublicSettingEndpoint, async ({ params }) => ({
    setting: await getPublicSetting(db, params.key),
  }))
}
