import type { FastifyInstance } from "fastify"
import { accountRoutes } from "#http/admin/account-routes"
import { approvalRoutes } from "#http/admin/approval-routes"
import { auditRecordRoutes } from "#http/admin/audit-record-routes"
import { adminChargePageRoutes } from "#http/admin/charge-page-routes"
import { dailyCloseRoutes } from "#http/admin/daily-close-routes"
import { adminDisputeRoutes } from "#http/admin/dispute-routes"
import { manualEntryRoutes } from "#http/admin/manual-entry-routes"
import { pageReportRoutes } from "#http/admin/page-report-routes"
import { adminRefundRoutes } from "#http/admin/refund-routes"
import { reportRoutes } from "#http/admin/report-routes"
import { requireAdmin } from "#http/admin/require-admin"
import { adminSearchRoutes } from "#http/admin/search-routes"
import { settingsRoutes } from "#http/admin/settings-routes"
import { systemRoutes } from "#http/admin/system-routes"
import { adminTransactionRoutes } from "#http/admin/transaction-routes"
import { unmatchedPaymentRoutes } from "#http/admin/unmatched-payment-routes"
import { adminUserRoutes } from "#http/admin/user-routes"
import { apiDocs } from "#http/api-docs"
import { type AdmitKey, createKeyGate } from "#http/api-key-gate"
import { markAudience } from "#http/audience"
import { createServer } from "#http/create-server"
import type { HttpDeps } from "#http/deps"
import { drainConnections } from "#http/drain-connections"
import { openFastPath } from "#http/fast-path"
import { healthRoutes } from "#http/health-routes"
import { noteRefusals } from "#http/note-refusals"
import { outboxRoutes } from "#http/outbox-routes"
import { keepHostsApart } from "#http/payers-host"
import { pixWebhookRoutes } from "#http/psp-webhooks/pix-webhook-routes"
import { authRoutes, passkeyChallengeRoutes } from "#http/public/auth-routes"
import { type ChargeLimits, createChargeLimits } from "#http/public/charge-limits"
import { publicChargePageRoutes } from "#http/public/charge-page-routes"
import { checkoutScope } from "#http/public/checkout-scope"
import { confirmEmailRoutes } from "#http/public/confirm-email-routes"
import { legalPages } from "#http/public/legal-pages"
import { type CallerLimits, createCallerLimits, limitCallers } from "#http/public/limit-callers"
import { notMeRoutes } from "#http/public/not-me-routes"
import { payerDataRoutes } from "#http/public/payer-data-routes"
import { paymentRoutes, paymentStatusFastPath } from "#http/public/payment-routes"
import { paymentStreamRoutes } from "#http/public/payment-stream-routes"
import { receiptCalls } from "#http/public/receipt-calls"
import { receiptRoutes } from "#http/public/receipt-routes"
import { createReportLimits, type ReportLimits } from "#http/public/report-limits"
import { pageReportingRoutes } from "#http/public/report-routes"
import { publicSettingsRoutes } from "#http/public/settings-routes"
import { unsubscribeRoutes } from "#http/public/unsubscribe-routes"
import { verifyPageRoutes } from "#http/public/verify-page"
import { wellKnownRoutes } from "#http/public/well-known-routes"
import { isApiUrl } from "#http/security-headers"
import { apiKeyRoutes } from "#http/seller/api-key-routes"
import { chargePageRoutes } from "#http/seller/charge-page-routes"
import { disputeRoutes } from "#http/seller/dispute-routes"
import { eventRoutes } from "#http/seller/event-routes"
import { legalTextRoutes } from "#http/seller/legal-text-routes"
import { logoutRoutes } from "#http/seller/logout-routes"
import { noticeRoutes } from "#http/seller/notice-routes"
import { challengeRoutes, passkeyRoutes } from "#http/seller/passkey-routes"
import { passwordRoutes } from "#http/seller/password-routes"
import { refundRoutes } from "#http/seller/refund-routes"
import { returnOriginRoutes } from "#http/seller/return-origin-routes"
import { searchRoutes } from "#http/seller/search-routes"
import { secondFactorRoutes, stepUpRoutes } from "#http/seller/second-factor-routes"
import { sellerReportRoutes } from "#http/seller/seller-report-routes"
import { sellerStreamRoutes } from "#http/seller/seller-stream-routes"
import { requireSession } from "#http/seller/session-of"
import { sessionRoutes } from "#http/seller/session-routes"
import { singleChargeRoutes } from "#http/seller/single-charge-routes"
import { statementRoutes } from "#http/seller/statement-routes"
import { transactionRoutes } from "#http/seller/transaction-routes"
import { usersRoutes } from "#http/seller/users-routes"
import { webhookRoutes, webhookTestRoutes } from "#http/seller/webhook-routes"
import { noteRoutes } from "#http/served-routes"
import { simulatorProxy } from "#http/simulator-proxy"
import { type SendPage, serveApp } from "#http/site"
import { guardSteps, requireAdminRights } from "#http/step-up-guard"
import { type IsTrusted, trustedPeers } from "#http/trusted-peers"
import { addressesWithoutSlash, unknownRoutes } from "#http/unknown-routes"
import { adminWithdrawalRoutes, handSettlementRoutes } from "#money/withdrawals/admin-routes"
import { destinationRoutes, withdrawalRoutes } from "#money/withdrawals/routes"

/** The API and the pages without script share one count of Pix creations and one of reports, all audiences one of a key's requests. */
type Deps = HttpDeps & {
  chargeLimits: ChargeLimits
  reportLimits: ReportLimits
  callerLimits: CallerLimits
  admitKey: AdmitKey
  isTrustedPeer: IsTrusted
}

/** Everything reachable by HTTP, each audience in a scope of its own. */
export async function buildApp(wired: HttpDeps): Promise<FastifyInstance> {
  const { clock, trustedProxies } = wired
  const limits = {
    chargeLimits: createChargeLimits(clock),
    reportLimits: createReportLimits(clock),
    callerLimits: createCallerLimits(clock),
  }
  const deps: Deps = {
    ...wired,
    ...limits,
    admitKey: createKeyGate(wired),
    isTrustedPeer: trustedPeers(trustedProxies),
  }
  const app = createServer(deps)
  await traceIfWanted(app, deps)
  drainConnections(app, deps)
  noteRoutes(app)
  noteRefusals(app, deps)
  keepHostsApart(app, deps)
  // With a collector of traces each request has a span, which Fastify's hooks write.
  if (deps.otlp === null) openFastPath(app, paymentStatusFastPath(deps), deps)

  const scopes = [publicScope, sellerScope, adminScope, webhookScope, healthScope, sandboxScope]
  for (const open of scopes) app.register(async (scope) => open(scope, deps))
  const sendNotFoundPage = await openSite(app, deps)
  const replyToUnknown = unknownRoutes(app)
  const addressWithoutSlash = addressesWithoutSlash(app)
  app.setNotFoundHandler((request, reply) => {
    const isPage = (request.method === "GET" || request.method === "HEAD") && !isApiUrl(request.url)
    if (!isPage) return replyToUnknown(request, reply)
    const meant = addressWithoutSlash(request)
    return meant === null ? sendNotFoundPage(request, reply) : reply.redirect(meant, 308)
  })
  await app.ready()
  return app
}

/** Loads nothing of it without a collector. */
async function traceIfWanted(app: FastifyInstance, { otlp, log }: HttpDeps): Promise<void> {
  if (otlp === null) return
  const { traceRequests } = await import("#http/trace-requests")
  traceRequests(app, { otlp, log })
}

async function openSite(app: FastifyInstance, deps: Deps): Promise<SendPage> {
  const { promise, resolve } = Promise.withResolvers<SendPage>()
  await app.register(async (scope) => {
    markAudience(scope, "site")
    apiDocs(scope, deps)
    scope.register(async (inner) => checkoutScope(inner, deps))
    scope.register(async (inner) => unsubscribeRoutes(inner, deps))
    scope.register(async (inner) => notMeRoutes(inner, deps))
    scope.register(async (inner) => confirmEmailRoutes(inner, deps))
    scope.register(async (inner) => payerDataRoutes(inner, deps))
    scope.register(async (inner) => receiptRoutes(inner, deps))
    scope.register(async (inner) => verifyPageRoutes(inner, deps))
    scope.register(async (inner) => legalPages(inner, deps))
    scope.register(async (inner) => wellKnownRoutes(inner, deps))
    resolve(await serveApp(scope, deps))
  })
  return promise
}

function webhookScope(scope: FastifyInstance, deps: Deps): void {
  markAudience(scope, "webhook")
  for (const each of webhooksOf(deps)) scope.register(async (inner) => pixWebhookRoutes(inner, each))
}

/** Those of the bank, and of the former one. */
function webhooksOf({ psp, webhook, formerWebhook, isTrustedPeer }: Deps) {
  return [{ psp, ...webhook }, ...(formerWebhook === null ? [] : [formerWebhook])].map((each) => ({
    ...each,
    isTrustedPeer,
  }))
}

function healthScope(scope: FastifyInstance, deps: HttpDeps): void {
  markAudience(scope, "health")
  healthRoutes(scope, deps)
}

function sandboxScope(scope: FastifyInstance, deps: HttpDeps): void {
  const { simulatorUrl, mayControl } = deps
  if (simulatorUrl === null) return
  markAudience(scope, "sandbox")
  scope.register(async (inner) => simulatorProxy(inner, { simulatorUrl, mayControl }))
  scope.register(async (inner) => outboxRoutes(inner, deps))
}

function adminScope(scope: FastifyInstance, deps: Deps): void {
  markAudience(scope, "admin")
  requireAdmin(scope, deps)
  guardSteps(scope, deps)
  requireAdminRights(scope, deps)
  approvalRoutes(scope, deps)
  settingsRoutes(scope, deps)
  adminUserRoutes(scope, deps)
  adminWithdrawalRoutes(scope, deps)
  adminRefundRoutes(scope, deps)
  handSettlementRoutes(scope, deps)
  adminDisputeRoutes(scope, deps)
  unmatchedPaymentRoutes(scope, deps)
  accountRoutes(scope, deps)
  manualEntryRoutes(scope, deps)
  dailyCloseRoutes(scope, deps)
  adminTransactionRoutes(scope, deps)
  adminChargePageRoutes(scope, deps)
  pageReportRoutes(scope, deps)
  const ofReports = { ...deps, db: deps.reportsDb }
  adminSearchRoutes(scope, ofReports)
  reportRoutes(scope, ofReports)
  auditRecordRoutes(scope, ofReports)
  systemRoutes(scope, deps)
}

function publicScope(scope: FastifyInstance, deps: Deps): void {
  markAudience(scope, "public")
  limitCallers(scope, deps, deps.callerLimits)
  authRoutes(scope, deps)
  scope.register(async (inner) => passkeyChallengeRoutes(inner, deps))
  publicSettingsRoutes(scope, deps)
  publicChargePageRoutes(scope, deps)
  pageReportingRoutes(scope, deps)
  paymentRoutes(scope, deps)
  receiptCalls(scope, deps)
  scope.register(async (inner) => paymentStreamRoutes(inner, deps))
}

function sellerScope(scope: FastifyInstance, deps: Deps): void {
  markAudience(scope, "seller")
  requireSession(scope, deps)
  guardSteps(scope, deps)
  usersRoutes(scope, deps)
  logoutRoutes(scope, deps)
  passwordRoutes(scope, deps)
  sessionRoutes(scope, deps)
  noticeRoutes(scope, deps)
  legalTextRoutes(scope, deps)
  secondFactorRoutes(scope, deps)
  passkeyRoutes(scope, deps)
  scope.register(async (inner) => stepUpRoutes(inner, deps))
  scope.register(async (inner) => challengeRoutes(inner, deps))
  apiKeyRoutes(scope, deps)
  webhookRoutes(scope, deps)
  scope.register(async (inner) => webhookTestRoutes(inner, deps))
  returnOriginRoutes(scope, deps)
  chargePageRoutes(scope, deps)
  singleChargeRoutes(scope, deps)
  transactionRoutes(scope, deps)
  refundRoutes(scope, deps)
  disputeRoutes(scope, deps)
  withdrawalRoutes(scope, deps)
  statementRoutes(scope, deps)
  destinationRoutes(scope, deps)
  eventRoutes(scope, deps)
  const ofReports = { ...deps, db: deps.reportsDb }
  sellerReportRoutes(scope, ofReports)
  searchRoutes(scope, ofReports)
  scope.register(async (inner) => sellerStreamRoutes(inner, deps))
}
