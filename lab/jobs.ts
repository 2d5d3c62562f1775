import type { Job } from "./kit/job.ts"

/** Jobs by name, in the order of `npm run bench`. */
export const jobs: Record<string, () => Promise<{ job: Job }>> = {
  checkout: () => import("./jobs/checkout.ts"),
  confirm: () => import("./jobs/confirm.ts"),
  create: () => import("./jobs/create.ts"),
  drain: () => import("./jobs/drain.ts"),
  "exactly-once": () => import("./jobs/exactly-once.ts"),
  deliveries: () => import("./jobs/deliveries.ts"),
  mixed: () => import("./jobs/mixed.ts"),
  overload: () => import("./jobs/overload.ts"),
  status: () => import("./jobs/status.ts"),
  streams: () => import("./jobs/streams.ts"),
  footprint: () => import("./jobs/footprint.ts"),
  withdrawals: () => import("./jobs/withdrawals.ts"),
  logins: () => import("./jobs/logins.ts"),
  export: () => import("./jobs/export.ts"),
  growth: () => import("./jobs/growth.ts"),
  verify: () => import("./jobs/verify.ts"),
  search: () => import("./jobs/search.ts"),
  writes: () => import("./jobs/writes.ts"),
  vacuum: () => import("./jobs/vacuum.ts"),
  invoices: () => import("./jobs/invoices.ts"),
  morning: () => import("./jobs/morning.ts"),
}
