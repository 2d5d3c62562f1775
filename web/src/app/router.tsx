import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router"
import {
  accountsSearch,
  adminTransactionsSearch,
  adminWithdrawalsSearch,
  allChargePagesSearch,
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
  statementSearch,
  transactionsSearch,
  withdrawalsSearch,
} from "#seller/search-params.ts"
import { toast } from "#ui/toast.ts"
import { lazyScreen, PagePending, ScreenFailure, ShellSkeleton } from "./screen-states.tsx"

const rootRoute = createRootRoute({
  notFoundComponent: lazyScreen(() => import("./not-found-page.tsx"), "NotFoundPage"),
})

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/dashboard", replace: true })
  },
})

const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "public",
  component: lazyScreen(() => import("./public-pages.tsx"), "PublicPages"),
})

const loginRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "/login",
  component: lazyScreen(() => import("#auth/login/login-page.tsx"), "LoginPage"),
})

const registerRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "/register",
  component: lazyScreen(() => import("#auth/register/register-page.tsx"), "RegisterPage"),
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "/forgot-password",
  component: lazyScreen(() => import("#auth/forgot-password/forgot-password-page.tsx"), "ForgotPasswordPage"),
})

const mailedLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "mailed-link",
  component: lazyScreen(() => import("./public-pages.tsx"), "PublicFrame"),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => mailedLinkRoute,
  path: "/reset-password/$token",
  component: lazyScreen(() => import("#auth/reset-password/reset-password-page.tsx"), "ResetPasswordPage"),
})

const newEmailRoute = createRoute({
  getParentRoute: () => mailedLinkRoute,
  path: "/new-email/$token",
  component: lazyScreen(() => import("#auth/new-email/new-email-page.tsx"), "NewEmailPage"),
})

const paymentRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "payment",
  component: lazyScreen(() => import("./payment-frame.tsx"), "PaymentFrame"),
})

const paymentSuccessRoute = createRoute({
  getParentRoute: () => paymentRoute,
  path: "/payment/success",
  validateSearch: paymentSearch,
  component: lazyScreen(() => import("#payment/payment-pages.tsx"), "PaymentSuccessPage"),
})

const paymentErrorRoute = createRoute({
  getParentRoute: () => paymentRoute,
  path: "/payment/error",
  validateSearch: paymentSearch,
  component: lazyScreen(() => import("#payment/payment-pages.tsx"), "PaymentErrorPage"),
})

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "session",
  component: lazyScreen(() => import("./session-gate.tsx"), "SessionGate"),
  pendingComponent: ShellSkeleton,
})

const dashboardRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/dashboard",
  component: lazyScreen(() => import("#seller/dashboard/dashboard-page.tsx"), "DashboardPage"),
})

const chargePageListRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/checkouts",
  validateSearch: chargePageListSearch,
  component: lazyScreen(() => import("#seller/charge-page-list/charge-page-list-screen.tsx"), "ChargePageListScreen"),
})

const createChargePageRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/checkouts/create",
  validateSearch: createChargePageSearch,
  component: lazyScreen(
    () => import("#seller/create-charge-page/create-charge-page-screen.tsx"),
    "CreateChargePageScreen",
  ),
})

const editChargePageRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/checkouts/$id",
  beforeLoad: () => {
    if (currentToken() !== null) return
    toast.error("Token de autenticação não encontrado")
    throw redirect({ to: "/login", replace: true })
  },
  component: lazyScreen(() => import("#seller/edit-charge-page/edit-charge-page-screen.tsx"), "EditChargePageScreen"),
})

const transactionsRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/transactions",
  validateSearch: transactionsSearch,
  component: lazyScreen(() => import("#seller/transactions/transactions-page.tsx"), "TransactionsPage"),
})

const withdrawalsRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/withdrawals",
  validateSearch: withdrawalsSearch,
  component: lazyScreen(() => import("#seller/withdrawals/withdrawals-page.tsx"), "WithdrawalsPage"),
})

const statementRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/statement",
  validateSearch: statementSearch,
  component: lazyScreen(() => import("#seller/statement/statement-page.tsx"), "StatementPage"),
})

const developersRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/developers",
  component: lazyScreen(() => import("#seller/developers/developers-page.tsx"), "DevelopersPage"),
})

const noticesRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/notices",
  component: lazyScreen(() => import("#seller/notices/notices-page.tsx"), "NoticesPage"),
})

const profileRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/profile",
  component: lazyScreen(() => import("#seller/profile/profile-page.tsx"), "ProfilePage"),
})

const adminRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/admin",
  component: lazyScreen(() => import("./session-gate.tsx"), "AdminGate"),
})

const adminHomeRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/",
  component: lazyScreen(() => import("#admin/dashboard/dashboard-page.tsx"), "DashboardPage"),
})

const adminUsersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/users",
  validateSearch: usersSearch,
  component: lazyScreen(() => import("#admin/users/users-page.tsx"), "UsersPage"),
})

const adminChargePagesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/checkout-pages",
  validateSearch: allChargePagesSearch,
  component: lazyScreen(() => import("#admin/charge-pages/charge-pages-page.tsx"), "ChargePagesPage"),
})

const adminReportsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/reports",
  validateSearch: reportsSearch,
  component: lazyScreen(() => import("#admin/reports/reports-page.tsx"), "ReportsPage"),
})

const adminTransactionsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/transactions",
  validateSearch: adminTransactionsSearch,
  component: lazyScreen(() => import("#admin/transactions/transactions-page.tsx"), "TransactionsPage"),
})

const disputesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/disputes",
  validateSearch: disputesSearch,
  component: lazyScreen(() => import("#admin/disputes/disputes-page.tsx"), "DisputesPage"),
})

const pageReportsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/page-reports",
  validateSearch: pageReportsSearch,
  component: lazyScreen(() => import("#admin/page-reports/page-reports-page.tsx"), "PageReportsPage"),
})

const unmatchedPaymentsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/unmatched-payments",
  validateSearch: unmatchedSearch,
  component: lazyScreen(() => import("#admin/unmatched-payments/unmatched-payments-page.tsx"), "UnmatchedPaymentsPage"),
})

const adminWithdrawalsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/withdrawals",
  validateSearch: adminWithdrawalsSearch,
  component: lazyScreen(() => import("#admin/withdrawals/withdrawals-page.tsx"), "WithdrawalsPage"),
})

const approvalsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/approvals",
  component: lazyScreen(() => import("#admin/approvals/approvals-page.tsx"), "ApprovalsPage"),
})

const adminSettingsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/settings",
  component: lazyScreen(() => import("#admin/settings/settings-page.tsx"), "SettingsPage"),
})

const adminAuditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyScreen(() => import("#admin/audit/audit-page.tsx"), "AuditPage"),
})

const dailyClosesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/daily-closes",
  validateSearch: dailyClosesSearch,
  component: lazyScreen(() => import("#admin/daily-closes/daily-closes-page.tsx"), "DailyClosesPage"),
})

const accountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/accounts",
  validateSearch: accountsSearch,
  component: lazyScreen(() => import("#admin/accounts/accounts-page.tsx"), "AccountsPage"),
})

const journalRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/journal",
  component: lazyScreen(() => import("#admin/journal/journal-page.tsx"), "JournalPage"),
})

const adminSystemRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/system",
  component: lazyScreen(() => import("#admin/system/system-page.tsx"), "SystemPage"),
})

const unknownAdminRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/$",
  component: lazyScreen(() => import("./not-found-page.tsx"), "NotFoundNotice"),
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  publicRoute.addChildren([loginRoute, registerRoute, forgotPasswordRoute]),
  mailedLinkRoute.addChildren([resetPasswordRoute, newEmailRoute]),
  paymentRoute.addChildren([paymentSuccessRoute, paymentErrorRoute]),
  sessionRoute.addChildren([
    dashboardRoute,
    chargePageListRoute,
    createChargePageRoute,
    editChargePageRoute,
    transactionsRoute,
    withdrawalsRoute,
    statementRoute,
    developersRoute,
    noticesRoute,
    profileRoute,
    adminRoute.addChildren([
      adminHomeRoute,
      adminTransactionsRoute,
      unmatchedPaymentsRoute,
      disputesRoute,
      pageReportsRoute,
      dailyClosesRoute,
      accountsRoute,
      journalRoute,
      adminWithdrawalsRoute,
      approvalsRoute,
      adminUsersRoute,
      adminChargePagesRoute,
      adminReportsRoute,
      adminSettingsRoute,
      adminAuditRoute,
      adminSystemRoute,
      unknownAdminRoute,
    ]),
  ]),
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
