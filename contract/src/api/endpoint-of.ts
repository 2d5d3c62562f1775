import type { Endpoint, Head } from "./define-endpoint.ts"

type Modules = typeof import("./accounts-endpoints.ts") &
  typeof import("./admin-charge-pages-endpoints.ts") &
  typeof import("./admin-transactions-endpoints.ts") &
  typeof import("./admin-users-endpoints.ts") &
  typeof import("./admin-withdrawals-endpoints.ts") &
  typeof import("./api-keys-endpoints.ts") &
  typeof import("./approvals-endpoints.ts") &
  typeof import("./audit-records-endpoints.ts") &
  typeof import("./auth-endpoints.ts") &
  typeof import("./charge-pages-endpoints.ts") &
  typeof import("./charges-endpoints.ts") &
  typeof import("./daily-closes-endpoints.ts") &
  typeof import("./destinations-endpoints.ts") &
  typeof import("./disputes-endpoints.ts") &
  typeof import("./events-endpoints.ts") &
  typeof import("./hand-settlements-endpoints.ts") &
  typeof import("./legal-texts-endpoints.ts") &
  typeof import("./manual-entries-endpoints.ts") &
  typeof import("./notices-endpoints.ts") &
  typeof import("./page-reports-endpoints.ts") &
  typeof import("./passkeys-endpoints.ts") &
  typeof import("./payments-endpoints.ts") &
  typeof import("./receipts-endpoints.ts") &
  typeof import("./refunds-endpoints.ts") &
  typeof import("./reports-endpoints.ts") &
  typeof import("./return-origins-endpoints.ts") &
  typeof import("./search-endpoints.ts") &
  typeof import("./second-factors-endpoints.ts") &
  typeof import("./seller-report-endpoints.ts") &
  typeof import("./sessions-endpoints.ts") &
  typeof import("./settings-endpoints.ts") &
  typeof import("./statements-endpoints.ts") &
  typeof import("./system-endpoints.ts") &
  typeof import("./transactions-endpoints.ts") &
  typeof import("./unmatched-payments-endpoints.ts") &
  typeof import("./users-endpoints.ts") &
  typeof import("./webhooks-endpoints.ts") &
  typeof import("./withdrawals-endpoints.ts")

type Endpoints = Extract<Modules[keyof Modules], Endpoint>
type ByHead = { [E in Endpoints as `${E["method"]} ${E["path"]}`]: E }

/** The endpoint at a head: its types alone, so that importing it loads no schema. */
export type EndpointOf<H extends Head> = H extends keyof ByHead ? ByHead[H] : never
