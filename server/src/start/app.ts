import type { FastifyInstance } from "fastify"
import { bankStatementRoutes } from "#bank/bank-statements/routes"
import { dailyCloseRoutes } from "#bank/daily-closes/routes"
import { pixWebhookRoutes } from "#bank/psp-inbox/routes"
import { addressesWithoutSlash, createServer, drainConnections, unknownRoutes } from "#http/create-server"
import { openFastPath } from "#http/fast-path"
import { type IsTrusted, keepHostsApart, trustedPeers } from "#http/hosts"
import { markAudience } from "#http/list-query"
import { type CallerLimits, createCallerLimits, limitCallers } from "#http/rate-limits"
import { outboxRoutes, simulatorProxy } from "#http/sandbox-routes"
import { isApiUrl } from "#http/security-headers"
import { noteRoutes } from "#http/serve-endpoint"
import { eventRoutes } from "#integrations/event-feed/routes"
import { webhookRoutes, webhookSendRoutes } from "#integrations/webhooks/routes"
import { wellKnownRoutes } from "#money/chain/routes"
import { adminDestinationRoutes, destinationRoutes } from "#money/destinations/routes"
import { adminDisputeRoutes, disputeRoutes } from "#money/disputes/routes"
import { handPayoutRoutes } from "#money/hand-payouts/routes"
import { manualEntryRoutes } from "#money/manual-entries/routes"
import { receiptCalls, receiptRoutes, withdrawalReceiptRoutes } from "#money/receipts/routes"
import { verifyPageRoutes } from "#money/receipts/verify-pages"
import { refundRequestRoutes } from "#money/refund-requests/routes"
import { adminRefundRoutes, refundRoutes } from "#money/refunds/routes"
import { remittanceRoutes } from "#money/remittances/routes"
import { statementRoutes } from "#money/statements/routes"
import { unmatchedPaymentRoutes } from "#money/unmatched-payments/routes"
import { withdrawalRuleRoutes } from "#money/withdrawal-rules/routes"
import { adminWithdrawalRoutes, handSettlementRoutes } from "#money/withdrawals/admin-routes"
import { withdrawalRoutes } from "#money/withdrawals/routes"
import { accountRoutes } from "#overviews/accounts/routes"
import { pendingCountRoutes } from "#overviews/pending-counts/routes"
import { reportRoutes, sellerReportRoutes } from "#overviews/reports/routes"
import { adminSearchRoutes, searchRoutes } from "#overviews/search/routes"
import { healthRoutes } from "#overviews/system-status/health-routes"
import { systemRoutes } from "#overviews/system-status/routes"
import { type AdmitKey, createKeyGate, guardViews, requireAdmin, requireSession } from "#people/api-keys/gate"
import { apiKeyRoutes } from "#people/api-keys/routes"
import { notMeRoutes } from "#people/freezes/pages"
import { approvalRoutes } from "#people/second-approvals/routes"
import { guardSteps, requireAdminRights } from "#people/second-factors/guard"
import { challengeRoutes, passkeyRoutes, secondFactorRoutes, stepUpRoutes } from "#people/second-factors/routes"
import { noteRefusals } from "#people/sessions/caller"
import { logoutRoutes, sellerStreamRoutes, sessionRoutes } from "#people/sessions/routes"
import { logoRoutes, shopLogoRoutes, shopRoutes } from "#people/shops/routes"
import { publicTeamRoutes, teamRoutes } from "#people/team/routes"
import { adminUserRoutes } from "#people/users/admin-routes"
import { authRoutes, passkeyChallengeRoutes } from "#people/users/auth-routes"
import { confirmEmailRoutes, unsubscribeRoutes } from "#people/users/pages"
import { passwordRoutes, usersRoutes } from "#people/users/routes"
import { auditRecordRoutes } from "#platform/audit/routes"
import { legalPages, legalTextRoutes } from "#platform/legal-texts/routes"
import { noticeRoutes } from "#platform/mails/routes"
import { publicPushRoutes, pushRoutes, pushSendRoutes } from "#platform/push/routes"
import { publicSettingsRoutes, settingsRoutes } from "#platform/settings/routes"
import { apiDocs, type SendPage, serveApp } from "#platform/site/routes"
import { adminChargePageRoutes } from "#selling/charge-pages/admin-routes"
import { checkoutScope } from "#selling/charge-pages/checkout-routes"
import { chargePageRoutes, publicChargePageRoutes } from "#selling/charge-pages/routes"
import { adminTransactionRoutes } from "#selling/charges/admin-routes"
import { payerDataRoutes } from "#selling/charges/payer-data-pages"
import {
  type ChargeLimits,
  createChargeLimits,
  paymentRoutes,
  paymentStatusFastPath,
} from "#selling/charges/payment-routes"
import { singleChargeRoutes, transactionRoutes } from "#selling/charges/routes"
import { paymentStreamRoutes } from "#selling/charges/stream-routes"
import { customerImportRoutes, customerRoutes } from "#selling/customers/routes"
import { adminInvoiceRoutes } from "#selling/invoices/admin-routes"
import { customerDataRoutes } from "#selling/invoices/customer-data-pages"
import { invoiceRoutes } from "#selling/invoices/routes"
import { adminMandateRoutes } from "#selling/mandates/admin-routes"
import { authorisationPages } from "#selling/mandates/pages"
import { mandateRoutes } from "#selling/mandates/routes"
import {
  createReportLimits,
  pageReportingRoutes,
  pageReportRoutes,
  type ReportLimits,
} from "#selling/page-reports/routes"
import { endRemindersRoutes } from "#selling/reminders/pages"
import { reminderRoutes } from "#selling/reminders/routes"
import { returnOriginRoutes } from "#selling/return-origins/routes"
import { currentScreenRoutes, pairingRoutes, screenRoutes, screenStreamRoutes } from "#selling/screens/routes"
import { subscriberDataRoutes, subscriberPages } from "#selling/subscriptions/pages"
import { planRoutes, subscriptionRoutes } from "#selling/subscriptions/routes"
import type { HttpDeps } from "./deps.ts"

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
  const deps: Deps = {
    ...wired,
    chargeLimits: createChargeLimits(clock),
    reportLimits: createReportLimits(clock),
    callerLimits: createCallerLimits(clock),
    admitKey: createKeyGate(wired),
    isTrustedPeer: trustedPeers(trustedProxies),
  }
  const app = createServer(deps)
  await traceIfWanted(app, deps)
  drainConnections(app, deps)
  noteRoutes(app)
  noteRefusals(app, deps)
  guardViews(app, deps)
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
    scope.register(async (inner) => logoRoutes(inner, deps))
    scope.register(async (inner) => unsubscribeRoutes(inner, deps))
    scope.register(async (inner) => notMeRoutes(inner, deps))
    scope.register(async (inner) => confirmEmailRoutes(inner, deps))
    scope.register(async (inner) => payerDataRoutes(inner, deps))
    scope.register(async (inner) => customerDataRoutes(inner, deps))
    scope.register(async (inner) => subscriberDataRoutes(inner, deps))
    scope.register(async (inner) => subscriberPages(inner, deps))
    scope.register(async (inner) => authorisationPages(inner, deps))
    scope.register(async (inner) => endRemindersRoutes(inner, deps))
    scope.register(async (inner) => verifyPageRoutes(inner, deps))
    scope.register(async (inner) => legalPages(inner, deps))
    scope.register(async (inner) => wellKnownRoutes(inner, deps))
    const { sendApp, sendNotFoundPage } = await serveApp(scope, deps)
    scope.register(async (inner) => receiptRoutes(inner, { ...deps, sendApp }))
    resolve(sendNotFoundPage)
  })
  return promise
}

function webhookScope(scope: FastifyInstance, deps: Deps): void {
  markAudience(scope, "webhook")
  const { isTrustedPeer } = deps
  for (const each of deps.webhooks) {
    scope.register(async (inner) => pixWebhookRoutes(inner, { ...each, isTrustedPeer }))
  }
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
  pendingCountRoutes(scope, deps)
  approvalRoutes(scope, deps)
  settingsRoutes(scope, deps)
  adminUserRoutes(scope, deps)
  adminMandateRoutes(scope, deps)
  adminWithdrawalRoutes(scope, deps)
  adminRefundRoutes(scope, deps)
  handSettlementRoutes(scope, deps)
  handPayoutRoutes(scope, deps)
  adminDestinationRoutes(scope, deps)
  remittanceRoutes(scope, deps)
  bankStatementRoutes(scope, deps)
  adminDisputeRoutes(scope, deps)
  unmatchedPaymentRoutes(scope, deps)
  accountRoutes(scope, deps)
  manualEntryRoutes(scope, deps)
  dailyCloseRoutes(scope, deps)
  adminTransactionRoutes(scope, deps)
  adminInvoiceRoutes(scope, deps)
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
  publicPushRoutes(scope, deps)
  publicChargePageRoutes(scope, deps)
  publicTeamRoutes(scope, deps)
  pageReportingRoutes(scope, deps)
  paymentRoutes(scope, deps)
  receiptCalls(scope, deps)
  scope.register(async (inner) => paymentStreamRoutes(inner, deps))
  scope.register(async (inner) => pairingRoutes(inner, deps))
  currentScreenRoutes(scope, deps)
  scope.register(async (inner) => screenStreamRoutes(inner, deps))
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
  pushRoutes(scope, deps)
  scope.register(async (inner) => pushSendRoutes(inner, deps))
  legalTextRoutes(scope, deps)
  secondFactorRoutes(scope, deps)
  passkeyRoutes(scope, deps)
  scope.register(async (inner) => stepUpRoutes(inner, deps))
  scope.register(async (inner) => challengeRoutes(inner, deps))
  apiKeyRoutes(scope, deps)
  webhookRoutes(scope, deps)
  scope.register(async (inner) => webhookSendRoutes(inner, deps))
  customerRoutes(scope, deps)
  scope.register(async (inner) => customerImportRoutes(inner, deps))
  returnOriginRoutes(scope, deps)
  scope.register(async (inner) => shopRoutes(inner, deps))
  teamRoutes(scope, deps)
  scope.register(async (inner) => shopLogoRoutes(inner, deps))
  chargePageRoutes(scope, deps)
  scope.register(async (inner) => singleChargeRoutes(inner, deps))
  screenRoutes(scope, deps)
  invoiceRoutes(scope, deps)
  subscriptionRoutes(scope, deps)
  mandateRoutes(scope, deps)
  planRoutes(scope, deps)
  reminderRoutes(scope, deps)
  transactionRoutes(scope, deps)
  refundRoutes(scope, deps)
  refundRequestRoutes(scope, deps)
  disputeRoutes(scope, deps)
  withdrawalRoutes(scope, deps)
  withdrawalReceiptRoutes(scope, deps)
  statementRoutes(scope, deps)
  destinationRoutes(scope, deps)
  withdrawalRuleRoutes(scope, deps)
  eventRoutes(scope, deps)
  const ofReports = { ...deps, db: deps.reportsDb }
  sellerReportRoutes(scope, ofReports)
  searchRoutes(scope, ofReports)
  scope.register(async (inner) => sellerStreamRoutes(inner, deps))
}
