import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router"
import {
  accountsSearch,
  adminTransactionsSearch,
  adminWithdrawalsSearch,
  allChargePagesSearch,
  allInvoicesSearch,
  auditSearch,
  dailyClosesSearch,
  disputesSearch,
  pageReportsSearch,
  reportsSearch,
  unmatchedSearch,
  usersSearch,
} from "#admin/search-params.ts"
import { currentToken } from "#api/session-token.ts"
import { paymentSearch } from "#payment/payment-search.ts"
import {
  chargePageListSearch,
  createChargePageSearch,
  customersSearch,
  receivablesSearch,
  statementSearch,
  transactionsSearch,
  withdrawalsSearch,
} from "#seller/search-params.ts"
import { toast } from "#ui/toast.ts"
import { lazyScreen, PagePending, ScreenFailure, ShellSkeleton } from "./screen-states.tsx"

const login = lazyScreen(() => import("#auth/login/login-page.tsx"), "LoginPage")
const register = lazyScreen(() => import("#auth/register/register-page.tsx"), "RegisterPage")
const forgotPassword = lazyScreen(() => import("#auth/forgot-password/forgot-password-page.tsx"), "ForgotPasswordPage")
const resetPassword = lazyScreen(() => import("#auth/reset-password/reset-password-page.tsx"), "ResetPasswordPage")
const invitation = lazyScreen(() => import("#auth/invitation/invitation-page.tsx"), "InvitationPage")
const newEmail = lazyScreen(() => import("#auth/new-email/new-email-page.tsx"), "NewEmailPage")
const paymentSuccess = lazyScreen(() => import("#payment/payment-pages.tsx"), "PaymentSuccessPage")
const payerScreen = lazyScreen(() => import("#payment/payer-screen.tsx"), "PayerScreen")
const paymentError = lazyScreen(() => import("#payment/payment-pages.tsx"), "PaymentErrorPage")
const dashboard = lazyScreen(() => import("#seller/dashboard/dashboard-page.tsx"), "DashboardPage")
const chargePageList = lazyScreen(
  () => import("#seller/charge-page-list/charge-page-list-screen.tsx"),
  "ChargePageListScreen",
)
const createChargePage = lazyScreen(
  () => import("#seller/create-charge-page/create-charge-page-screen.tsx"),
  "CreateChargePageScreen",
)
const editChargePage = lazyScreen(
  () => import("#seller/edit-charge-page/edit-charge-page-screen.tsx"),
  "EditChargePageScreen",
)
const counter = lazyScreen(() => import("#seller/counter/counter-page.tsx"), "CounterPage")
const customers = lazyScreen(() => import("#seller/customers/customers-page.tsx"), "CustomersPage")
const customer = lazyScreen(() => import("#seller/customers/customer-page.tsx"), "CustomerPage")
const transactions = lazyScreen(() => import("#seller/transactions/transactions-page.tsx"), "TransactionsPage")
const receivables = lazyScreen(() => import("#seller/receivables/receivables-page.tsx"), "ReceivablesPage")
const invoiceForm = lazyScreen(() => import("#seller/receivables/invoice-form-page.tsx"), "InvoiceFormPage")
const subscriptions = lazyScreen(() => import("#seller/subscriptions/subscriptions-page.tsx"), "SubscriptionsPage")
const subscription = lazyScreen(() => import("#seller/subscriptions/subscription-page.tsx"), "SubscriptionPage")
const withdrawals = lazyScreen(() => import("#seller/withdrawals/withdrawals-page.tsx"), "WithdrawalsPage")
const statement = lazyScreen(() => import("#seller/statement/statement-page.tsx"), "StatementPage")
const shop = lazyScreen(() => import("#seller/shop/shop-page.tsx"), "ShopPage")
const team = lazyScreen(() => import("#seller/team/team-page.tsx"), "TeamPage")
const developers = lazyScreen(() => import("#seller/developers/developers-page.tsx"), "DevelopersPage")
const notices = lazyScreen(() => import("#seller/notices/notices-page.tsx"), "NoticesPage")
const securityNotices = lazyScreen(() => import("#seller/notices/notices-page.tsx"), "SecurityNoticesPage")
const profile = lazyScreen(() => import("#seller/profile/profile-page.tsx"), "ProfilePage")
const ownDetails = lazyScreen(() => import("#seller/profile/profile-page.tsx"), "OwnDetails")
const accountSecurity = lazyScreen(() => import("#seller/profile/profile-page.tsx"), "AccountSecurity")
const accountPrivacy = lazyScreen(() => import("#seller/profile/profile-page.tsx"), "AccountPrivacy")
const adminHome = lazyScreen(() => import("#admin/dashboard/dashboard-page.tsx"), "DashboardPage")
const allUsers = lazyScreen(() => import("#admin/users/users-page.tsx"), "UsersPage")
const allChargePages = lazyScreen(() => import("#admin/charge-pages/charge-pages-page.tsx"), "ChargePagesPage")
const allInvoices = lazyScreen(() => import("#admin/invoices/invoices-page.tsx"), "InvoicesPage")
const reports = lazyScreen(() => import("#admin/reports/reports-page.tsx"), "ReportsPage")
const allTransactions = lazyScreen(() => import("#admin/transactions/transactions-page.tsx"), "TransactionsPage")
const disputes = lazyScreen(() => import("#admin/disputes/disputes-page.tsx"), "DisputesPage")
const pageReports = lazyScreen(() => import("#admin/page-reports/page-reports-page.tsx"), "PageReportsPage")
const unmatchedPayments = lazyScreen(
  () => import("#admin/unmatched-payments/unmatched-payments-page.tsx"),
  "UnmatchedPaymentsPage",
)
const allWithdrawals = lazyScreen(() => import("#admin/withdrawals/withdrawals-page.tsx"), "WithdrawalsPage")
const payoutBatch = lazyScreen(() => import("#admin/payout-batch/batch-page.tsx"), "PayoutBatchPage")
const approvals = lazyScreen(() => import("#admin/approvals/approvals-page.tsx"), "ApprovalsPage")
const settings = lazyScreen(() => import("#admin/settings/settings-page.tsx"), "SettingsPage")
const audit = lazyScreen(() => import("#admin/audit/audit-page.tsx"), "AuditPage")
const dailyCloses = lazyScreen(() => import("#admin/daily-closes/daily-closes-page.tsx"), "DailyClosesPage")
const accounts = lazyScreen(() => import("#admin/accounts/accounts-page.tsx"), "AccountsPage")
const journal = lazyScreen(() => import("#admin/journal/journal-page.tsx"), "JournalPage")
const system = lazyScreen(() => import("#admin/system/system-page.tsx"), "SystemPage")
const unknownAdmin = lazyScreen(() => import("./not-found-page.tsx"), "NotFoundNotice")

const rootRoute = createRootRoute({
  notFoundComponent: lazyScreen(() => import("./not-found-page.tsx"), "NotFoundPage"),
})
const inRoot = { getParentRoute: () => rootRoute }

const publicRoute = createRoute({
  ...inRoot,
  id: "public",
  component: lazyScreen(() => import("./public-pages.tsx"), "PublicPages"),
})
const inPublic = { getParentRoute: () => publicRoute }

const mailedLinkRoute = createRoute({
  ...inRoot,
  id: "mailed-link",
  component: lazyScreen(() => import("./public-pages.tsx"), "PublicFrame"),
})
const inMailedLink = { getParentRoute: () => mailedLinkRoute }

const paymentRoute = createRoute({
  ...inRoot,
  id: "payment",
  component: lazyScreen(() => import("./payment-frame.tsx"), "PaymentFrame"),
})
const inPayment = { getParentRoute: () => paymentRoute }

const sessionRoute = createRoute({
  ...inRoot,
  id: "session",
  component: lazyScreen(() => import("./session-gate.tsx"), "SessionGate"),
  pendingComponent: ShellSkeleton,
})
const inSession = { getParentRoute: () => sessionRoute }

const adminRoute = createRoute({
  ...inSession,
  path: "/admin",
  component: lazyScreen(() => import("./session-gate.tsx"), "AdminGate"),
})
const inAdmin = { getParentRoute: () => adminRoute }

/** It keeps what is shown only once, such as a new key, while its tabs change. */
const developersRoute = createRoute({ ...inSession, path: "/developers", component: developers })
const inDevelopers = { getParentRoute: () => developersRoute }

const developersTabs = [
  createRoute({ ...inDevelopers, path: "/" }),
  createRoute({ ...inDevelopers, path: "/webhooks" }),
  createRoute({ ...inDevelopers, path: "/events" }),
  createRoute({ ...inDevelopers, path: "/return" }),
] as const

const profileRoute = createRoute({ ...inSession, path: "/profile", component: profile })
const inProfile = { getParentRoute: () => profileRoute }

const profileTabs = [
  createRoute({
    ...inProfile,
    path: "/",
    // Mails written before there were tabs lead to its anchor.
    beforeLoad: ({ location }) => {
      if (location.hash === "seguranca") throw redirect({ to: "/profile/security", replace: true })
    },
    component: ownDetails,
  }),
  createRoute({ ...inProfile, path: "/security", component: accountSecurity }),
  createRoute({ ...inProfile, path: "/privacy", component: accountPrivacy }),
] as const

const homeRoute = createRoute({
  ...inRoot,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/dashboard", replace: true })
  },
})

const publicScreens = [
  createRoute({ ...inPublic, path: "/login", component: login }),
  createRoute({
    ...inPublic,
    path: "/register",
    validateSearch: ({ step }: { step?: unknown }): { step?: 2 } => (step === 2 ? { step } : {}),
    component: register,
  }),
  createRoute({ ...inPublic, path: "/forgot-password", component: forgotPassword }),
] as const

const mailedLinkScreens = [
  createRoute({ ...inMailedLink, path: "/reset-password/$token", component: resetPassword }),
  createRoute({ ...inMailedLink, path: "/new-email/$token", component: newEmail }),
  createRoute({ ...inMailedLink, path: "/convite/$token", component: invitation }),
] as const

const paymentScreens = [
  createRoute({
    ...inPayment,
    path: "/payment/success",
    validateSearch: paymentSearch,
    component: paymentSuccess,
  }),
  createRoute({ ...inPayment, path: "/payment/error", validateSearch: paymentSearch, component: paymentError }),
] as const

const adminScreens = [
  createRoute({ ...inAdmin, path: "/", component: adminHome }),
  createRoute({
    ...inAdmin,
    path: "/transactions",
    validateSearch: adminTransactionsSearch,
    component: allTransactions,
  }),
  createRoute({ ...inAdmin, path: "/invoices", validateSearch: allInvoicesSearch, component: allInvoices }),
  createRoute({
    ...inAdmin,
    path: "/unmatched-payments",
    validateSearch: unmatchedSearch,
    component: unmatchedPayments,
  }),
  createRoute({ ...inAdmin, path: "/disputes", validateSearch: disputesSearch, component: disputes }),
  createRoute({
    ...inAdmin,
    path: "/page-reports",
    validateSearch: pageReportsSearch,
    component: pageReports,
  }),
  createRoute({
    ...inAdmin,
    path: "/daily-closes",
    validateSearch: dailyClosesSearch,
    component: dailyCloses,
  }),
  createRoute({ ...inAdmin, path: "/accounts", validateSearch: accountsSearch, component: accounts }),
  createRoute({ ...inAdmin, path: "/journal", component: journal }),
  createRoute({
    ...inAdmin,
    path: "/withdrawals",
    validateSearch: adminWithdrawalsSearch,
    component: allWithdrawals,
  }),
  createRoute({ ...inAdmin, path: "/withdrawals/batch", component: payoutBatch }),
  createRoute({ ...inAdmin, path: "/approvals", component: approvals }),
  createRoute({ ...inAdmin, path: "/users", validateSearch: usersSearch, component: allUsers }),
  createRoute({
    ...inAdmin,
    path: "/checkout-pages",
    validateSearch: allChargePagesSearch,
    component: allChargePages,
  }),
  createRoute({ ...inAdmin, path: "/reports", validateSearch: reportsSearch, component: reports }),
  createRoute({ ...inAdmin, path: "/settings", component: settings }),
  createRoute({ ...inAdmin, path: "/audit", validateSearch: auditSearch, component: audit }),
  createRoute({ ...inAdmin, path: "/system", component: system }),
  createRoute({ ...inAdmin, path: "/$", component: unknownAdmin }),
] as const

const sessionScreens = [
  createRoute({ ...inSession, path: "/dashboard", component: dashboard }),
  createRoute({
    ...inSession,
    path: "/checkouts",
    validateSearch: chargePageListSearch,
    component: chargePageList,
  }),
  createRoute({
    ...inSession,
    path: "/checkouts/create",
    validateSearch: createChargePageSearch,
    component: createChargePage,
  }),
  createRoute({
    ...inSession,
    path: "/checkouts/$id",
    beforeLoad: () => {
      if (currentToken() !== null) return
      toast.error("Token de autenticação não encontrado")
      throw redirect({ to: "/login", replace: true })
    },
    component: editChargePage,
  }),
  createRoute({ ...inSession, path: "/receivables", validateSearch: receivablesSearch, component: receivables }),
  createRoute({
    ...inSession,
    path: "/receivables/$form",
    validateSearch: receivablesSearch,
    component: invoiceForm,
  }),
  createRoute({
    ...inSession,
    path: "/subscriptions",
    validateSearch: receivablesSearch,
    component: subscriptions,
  }),
  createRoute({
    ...inSession,
    path: "/subscriptions/$id",
    validateSearch: receivablesSearch,
    component: subscription,
  }),
  createRoute({ ...inSession, path: "/counter", component: counter }),
  createRoute({ ...inSession, path: "/customers", validateSearch: customersSearch, component: customers }),
  createRoute({ ...inSession, path: "/customers/$id", component: customer }),
  createRoute({
    ...inSession,
    path: "/transactions",
    validateSearch: transactionsSearch,
    component: transactions,
  }),
  createRoute({
    ...inSession,
    path: "/withdrawals",
    validateSearch: withdrawalsSearch,
    component: withdrawals,
  }),
  createRoute({ ...inSession, path: "/statement", validateSearch: statementSearch, component: statement }),
  createRoute({ ...inSession, path: "/shop", component: shop }),
  createRoute({ ...inSession, path: "/team", component: team }),
  developersRoute.addChildren(developersTabs),
  createRoute({ ...inSession, path: "/notices", component: notices }),
  createRoute({ ...inSession, path: "/notices/security", component: securityNotices }),
  profileRoute.addChildren(profileTabs),
  adminRoute.addChildren(adminScreens),
] as const

const payerScreenRoute = createRoute({ ...inRoot, path: "/tela", component: payerScreen })

const routeTree = rootRoute.addChildren([
  homeRoute,
  payerScreenRoute,
  publicRoute.addChildren(publicScreens),
  mailedLinkRoute.addChildren(mailedLinkScreens),
  paymentRoute.addChildren(paymentScreens),
  sessionRoute.addChildren(sessionScreens),
])

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingMs: 400,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: ScreenFailure,
  scrollRestoration: true,
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
