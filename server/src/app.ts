import type { FastifyInstance } from "fastify"
import { requireAdmin } from "#http/admin/require-admin"
import { settingsRoutes } from "#http/admin/settings-routes"
import { adminWithdrawalRoutes } from "#http/admin/withdrawal-routes"
import { apiDocs } from "#http/api-docs"
import { markAudience } from "#http/audience"
import { createServer } from "#http/create-server"
import type { HttpDeps } from "#http/deps"
import { healthRoutes } from "#http/health-routes"
import { describeApi } from "#http/openapi"
import { outboxRoutes } from "#http/outbox-routes"
import { pixWebhookRoutes } from "#http/psp-webhooks/pix-webhook-routes"
import { authRoutes } from "#http/public/auth-routes"
import { publicChargePageRoutes } from "#http/public/charge-page-routes"
import { checkoutPage } from "#http/public/checkout-page"
import { paymentRoutes } from "#http/public/payment-routes"
import { paymentStreamRoutes } from "#http/public/payment-stream-routes"
import { publicSettingsRoutes } from "#http/public/settings-routes"
import { isApiUrl } from "#http/security-headers"
import { chargePageRoutes } from "#http/seller/charge-page-routes"
import { logoutRoutes } from "#http/seller/logout-routes"
import { passwordRoutes } from "#http/seller/password-routes"
import { requireSession } from "#http/seller/session-of"
import { transactionRoutes } from "#http/seller/transaction-routes"
import { usersRoutes } from "#http/seller/users-routes"
import { withdrawalRoutes } from "#http/seller/withdrawal-routes"
import { simulatorProxy } from "#http/simulator-proxy"
import { serveApp } from "#http/site"
import { unknownRoutes } from "#http/unknown-routes"

/** Everything that is reachable by HTTP, each audience in a scope of its own. */
export async function buildApp(deps: HttpDeps): Promise<FastifyInstance> {
  const app = createServer(deps)
  const replyToUnknown = unknownRoutes(app)
  await describeApi(app, deps.publicUrl)

  app.register(async (scope) => publicScope(scope, deps))
  app.register(async (scope) => sellerScope(scope, deps))
  app.register(async (scope) => adminScope(scope, deps))
  app.register(async (scope) => paymentStreamRoutes(scope, deps))
  app.register(async (scope) => pixWebhookRoutes(scope, { ...deps.webhook, db: deps.db, clock: deps.clock }))
  app.register(async (scope) => healthRoutes(scope, deps))
  const { simulatorUrl } = deps
  if (simulatorUrl !== null) {
    app.register(async (scope) => simulatorProxy(scope, simulatorUrl))
    app.register(async (scope) => outboxRoutes(scope, deps))
  }
  apiDocs(app)
  await checkoutPage(app, deps)

  const sendNotFoundPage = await serveApp(app, deps)
  app.setNotFoundHandler((request, reply) => {
    const isPage = (request.method === "GET" || request.method === "HEAD") && !isApiUrl(request.url)
    return isPage ? sendNotFoundPage(request, reply) : replyToUnknown(request, reply)
  })
  await app.ready()
  return app
}

function adminScope(scope: FastifyInstance, deps: HttpDeps): void {
  markAudience(scope, "admin")
  requireAdmin(scope, deps)
  settingsRoutes(scope, deps)
  adminWithdrawalRoutes(scope, deps)
}

function publicScope(scope: FastifyInstance, deps: HttpDeps): void {
  markAudience(scope, "public")
  authRoutes(scope, deps)
  publicSettingsRoutes(scope, deps)
  publicChargePageRoutes(scope, deps)
  paymentRoutes(scope, deps)
}

function sellerScope(scope: FastifyInstance, deps: HttpDeps): void {
  markAudience(scope, "seller")
  requireSession(scope, deps)
  usersRoutes(scope, deps)
  logoutRoutes(scope, deps)
  passwordRoutes(scope, deps)
  chargePageRoutes(scope, deps)
  transactionRoutes(scope, deps)
  withdrawalRoutes(scope, deps)
}
