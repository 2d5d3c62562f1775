import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router"
import { allChargePagesSearch } from "#admin/charge-pages/all-charge-pages-search.ts"
import { reportsSearch } from "#admin/reports/reports-search.ts"
import { adminTransactionsSearch } from "#admin/transactions/transactions-search.ts"
import { unmatchedSearch } from "#admin/unmatched-payments/unmatched-search.ts"
import { usersSearch } from "#admin/users/users-search.ts"
import { adminWithdrawalsSearch } from "#admin/withdrawals/withdrawals-search.ts"
import { currentToken } from "#api/session-token.ts"
import { paymentSearch } from "#payment/payment-search.ts"
import { chargeListSearch } from "#seller/charge-list/charge-list-search.ts"
import { createChargeSearch } from "#seller/create-charge/create-charge-search.ts"
import { transactionsSearch } from "#seller/transactions/transactions-search.ts"
import { withdrawalsSearch } from "#seller/withdrawals/withdrawals-search.ts"
import { toast } from "#ui/toast.ts"
import { PagePending } from "./page-pending.tsx"
import { PublicFrame, PublicPages } from "./public-pages.tsx"
import { ScreenFailure } from "./screen-failure.tsx"
import { ShellSkeleton } from "./shell-skeleton.tsx"

const rootRoute = createRootRoute({
  notFoundComponent: lazyRouteComponent(() => import("./not-found-page.tsx"), "NotFoundPage"),
})

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/dashboard", replace: true })
  },
})

const publicRoute = createRoute({ getParentRoute: () => rootRoute, id: "public", component: PublicPages })

const loginRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "/login",
  component: lazyRouteComponent(() => import("#auth/login/login-page.tsx"), "LoginPage"),
})

const registerRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "/register",
  component: lazyRouteComponent(() => import("#auth/register/register-page.tsx"), "RegisterPage"),
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "/forgot-password",
  component: lazyRouteComponent(() => import("#auth/forgot-password/forgot-password-page.tsx"), "ForgotPasswordPage"),
})

const mailedLinkRoute = createRoute({ getParentRoute: () => rootRoute, id: "mailed-link", component: PublicFrame })

const resetPasswordRoute = createRoute({
  getParentRoute: () => mailedLinkRoute,
  path: "/reset-password/$token",
  component: lazyRouteComponent(() => import("#auth/reset-password/reset-password-page.tsx"), "ResetPasswordPage"),
})

const paymentRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "payment",
  component: lazyRouteComponent(() => import("./payment-frame.tsx"), "PaymentFrame"),
})

const paymentSuccessRoute = createRoute({
  getParentRoute: () => paymentRoute,
  path: "/payment/success",
  validateSearch: paymentSearch,
  component: lazyRouteComponent(() => import("#payment/payment-success-page.tsx"), "PaymentSuccessPage"),
})

const paymentErrorRoute = createRoute({
  getParentRoute: () => paymentRoute,
  path: "/payment/error",
  validateSearch: paymentSearch,
  component: lazyRouteComponent(() => import("#payment/payment-error-page.tsx"), "PaymentErrorPage"),
})

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "session",
  component: lazyRouteComponent(() => import("./session-gate.tsx"), "SessionGate"),
  pendingComponent: ShellSkeleton,
})

const dashboardRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/dashboard",
  component: lazyRouteComponent(() => import("#seller/dashboard/dashboard-page.tsx"), "DashboardPage"),
})

const chargeListRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/checkouts",
  validateSearch: chargeListSearch,
  component: lazyRouteComponent(() => import("#seller/charge-list/charge-list-page.tsx"), "ChargeListPage"),
})

const createChargeRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/checkouts/create",
  validateSearch: createChargeSearch,
  component: lazyRouteComponent(() => import("#seller/create-charge/create-charge-page.tsx"), "CreateChargePage"),
})

const editChargeRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/checkouts/$id",
  beforeLoad: () => {
    if (currentToken() !== null) return
    toast.error("Token de autenticação não encontrado")
    throw redirect({ to: "/login", replace: true })
  },
  component: lazyRouteComponent(() => import("#seller/edit-charge/edit-charge-page.tsx"), "EditChargePage"),
})

const transactionsRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/transactions",
  validateSearch: transactionsSearch,
  component: lazyRouteComponent(() => import("#seller/transactions/transactions-page.tsx"), "TransactionsPage"),
})

const withdrawalsRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/withdrawals",
  validateSearch: withdrawalsSearch,
  component: lazyRouteComponent(() => import("#seller/withdrawals/withdrawals-page.tsx"), "WithdrawalsPage"),
})

const profileRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/profile",
  component: lazyRouteComponent(() => import("#seller/profile/profile-page.tsx"), "ProfilePage"),
})

const adminRoute = createRoute({
  getParentRoute: () => sessionRoute,
  path: "/admin",
  component: lazyRouteComponent(() => import("./admin-gate.tsx"), "AdminGate"),
})

const adminHomeRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/",
  component: lazyRouteComponent(() => import("#admin/dashboard/dashboard-page.tsx"), "DashboardPage"),
})

const adminUsersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/users",
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import("#admin/users/users-page.tsx"), "UsersPage"),
})

const adminChargePagesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/checkout-pages",
  validateSearch: allChargePagesSearch,
  component: lazyRouteComponent(() => import("#admin/charge-pages/charge-pages-page.tsx"), "ChargePagesPage"),
})

const adminReportsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/reports",
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import("#admin/reports/reports-page.tsx"), "ReportsPage"),
})

const adminTransactionsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/transactions",
  validateSearch: adminTransactionsSearch,
  component: lazyRouteComponent(() => import("#admin/transactions/transactions-page.tsx"), "TransactionsPage"),
})

const unmatchedPaymentsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/unmatched-payments",
  validateSearch: unmatchedSearch,
  component: lazyRouteComponent(
    () => import("#admin/unmatched-payments/unmatched-payments-page.tsx"),
    "UnmatchedPaymentsPage",
  ),
})

const adminWithdrawalsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/withdrawals",
  validateSearch: adminWithdrawalsSearch,
  component: lazyRouteComponent(() => import("#admin/withdrawals/withdrawals-page.tsx"), "WithdrawalsPage"),
})

const adminSettingsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("#admin/settings/settings-page.tsx"), "SettingsPage"),
})

const unknownAdminRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/$",
  component: lazyRouteComponent(() => import("./not-found-page.tsx"), "NotFoundNotice"),
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  publicRoute.addChildren([loginRoute, registerRoute, forgotPasswordRoute]),
  mailedLinkRoute.addChildren([resetPasswordRoute]),
  paymentRoute.addChildren([paymentSuccessRoute, paymentErrorRoute]),
  sessionRoute.addChildren([
    dashboardRoute,
    chargeListRoute,
    createChargeRoute,
    editChargeRoute,
    transactionsRoute,
    withdrawalsRoute,
    profileRoute,
    adminRoute.addChildren([
      adminHomeRoute,
      adminTransactionsRoute,
      unmatchedPaymentsRoute,
      adminWithdrawalsRoute,
      adminUsersRoute,
      adminChargePagesRoute,
      adminReportsRoute,
      adminSettingsRoute,
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
