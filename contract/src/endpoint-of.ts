import type { Endpoint, Head } from "./define-endpoint.ts"

type Modules = typeof import("./accounts.ts") &
  typeof import("./admin-charge-pages.ts") &
  typeof import("./admin-invoices.ts") &
  typeof import("./admin-transactions.ts") &
  typeof import("./admin-users.ts") &
  typeof import("./admin-withdrawals.ts") &
  typeof import("./api-keys.ts") &
  typeof import("./approvals.ts") &
  typeof import("./audit-records.ts") &
  typeof import("./auth.ts") &
  typeof import("./bank-statements.ts") &
  typeof import("./charge-pages.ts") &
  typeof import("./charges.ts") &
  typeof import("./customers.ts") &
  typeof import("./daily-closes.ts") &
  typeof import("./destinations.ts") &
  typeof import("./disputes.ts") &
  typeof import("./events.ts") &
  typeof import("./hand-payouts.ts") &
  typeof import("./hand-settlements.ts") &
  typeof import("./invoices.ts") &
  typeof import("./legal-texts.ts") &
  typeof import("./mandates.ts") &
  typeof import("./manual-entries.ts") &
  typeof import("./notices.ts") &
  typeof import("./page-reports.ts") &
  typeof import("./passkeys.ts") &
  typeof import("./payments.ts") &
  typeof import("./pending-counts.ts") &
  typeof import("./push.ts") &
  typeof import("./receipts.ts") &
  typeof import("./refund-requests.ts") &
  typeof import("./refunds.ts") &
  typeof import("./reminders.ts") &
  typeof import("./remittances.ts") &
  typeof import("./reports.ts") &
  typeof import("./return-origins.ts") &
  typeof import("./screens.ts") &
  typeof import("./search.ts") &
  typeof import("./second-factors.ts") &
  typeof import("./sessions.ts") &
  typeof import("./settings.ts") &
  typeof import("./shops.ts") &
  typeof import("./statements.ts") &
  typeof import("./subscriptions.ts") &
  typeof import("./system.ts") &
  typeof import("./team.ts") &
  typeof import("./transactions.ts") &
  typeof import("./unmatched-payments.ts") &
  typeof import("./users.ts") &
  typeof import("./webhooks.ts") &
  typeof import("./withdrawal-rules.ts") &
  typeof import("./withdrawals.ts")

type Endpoints = Extract<Modules[keyof Modules], Endpoint>
type ByHead = { [E in Endpoints as `${E["method"]} ${E["path"]}`]: E }

/** The endpoint at a head: its types alone, so that importing it loads no schema. */
export type EndpointOf<H extends Head> = H extends keyof ByHead ? ByHead[H] : never
