import type { FastifyInstance } from "fastify"
import { apiDocs } from "#http/api-docs"
import { markAudience } from "#http/audience"
import { createServer, isApi } from "#http/create-server"
import type { HttpDeps } from "#http/deps"
import { healthRoutes } from "#http/health-routes"
import { describeApi } from "#http/openapi"
import { authRoutes } from "#http/public/auth-routes"
import { checkoutPage } from "#http/public/checkout-page"
import { publicSettingsRoutes } from "#http/public/settings-routes"
import { logoutRoutes } from "#http/seller/logout-routes"
import { requireSession } from "#http/seller/session-of"
import { usersRoutes } from "#http/seller/users-routes"
import { simulatorProxy } from "#http/simulator-proxy"
import { serveApp } from "#http/site"
import { unknownRoutes } from "#http/unknown-routes"

/** Everything that is reachable by HTTP, each audience in a scope of its own. */
export async function buildApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = await createServer(deps)
  const replyToUnknown = unknownRoutes(app)
  await describeApi(app, deps.publicUrl)

  app.register(async (scope) => publicScope(scope, deps))
  app.register(async (scope) => sellerScope(scope, deps))
  app.register(async (scope) => healthRoutes(scope, deps))
  apiDocs(app)
  if (deps.simulatorUrl !== null) await simulatorProxy(app, deps.simulatorUrl)
  await checkoutPage(app, deps)

  const sendNotFoundPage = await serveApp(app, deps.siteFolder)
  app.setNotFoundHandler((request, reply) => {
    const isPage = (request.method === "GET" || request.method === "HEAD") && !isApi(request)
    if (isPage) sendNotFoundPage(request, reply)
    else replyToUnknown(request, reply)
  })
  await app.ready()
  return app
}

function publicScope(scope: FastifyInstance, deps: HttpDeps): void {
  markAudience(scope, "public")
  authRoutes(scope, deps)
  publicSettingsRoutes(scope, deps)
}

function sellerScope(scope: FastifyInstance, deps: HttpDeps): void {
  markAudience(scope, "seller")
  requireSession(scope, deps)
  usersRoutes(scope, deps)
  logoutRoutes(scope, deps)
}
