import type { Recorder } from "../recorded-statements.ts"
import type { SeededServer } from "../seeded-server.ts"

/** A seeded database with a server on it. */
export interface Place {
  server: SeededServer
  recorder: Recorder
}

export interface MeasuredRequest {
  /** A search's cost depends on its words, so `search` and `shown` are reported without a bound. */
  kind: "list" | "summary" | "row" | "search" | "shown"
  name: string
  as: "bigSeller" | "admin"
  /** Rows of a page where an administrator doesn't ask for a hundred: no more than the shortest history fills. */
  rows?: 10 | 20
  /** Measured on a server that has just started, with empty caches. */
  isFirst?: true
  path(place: Place): Promise<string> | string
}

const transactions = "/api/v1/payments/transactions"
const allTransactions = "/api/v1/admin/transactions"
const pages = "/api/v1/checkout/pages"
const statement = "/api/v1/users/me/statement"
const year = `startDate=${dayBefore(360)}&endDate=${dayBefore(0)}`
const endedMonth = dayBefore(40).slice(0, 7)
const month = `dateFrom=${dayBefore(60)}&dateTo=${dayBefore(30)}`

export const measuredRequests: MeasuredRequest[] = [
  { kind: "summary", name: "seller: balance", as: "bigSeller", path: () => "/api/v1/users/myBalance" },
  { kind: "list", name: "seller: pages", as: "bigSeller", path: () => `${pages}?limit=10` },
  {
    kind: "list",
    name: "seller: pages, of one status",
    as: "bigSeller",
    path: () => `${pages}?limit=10&status=completed`,
  },
  { kind: "search", name: "seller: pages, searched", as: "bigSeller", path: () => `${pages}?limit=10&search=mentoria` },
  { kind: "list", name: "seller: transactions", as: "bigSeller", path: () => `${transactions}?limit=10` },
  {
    kind: "list",
    name: "seller: transactions, of one status",
    as: "bigSeller",
    path: () => `${transactions}?limit=10&status=pendente`,
  },
  {
    kind: "list",
    name: "seller: transactions, of a month",
    as: "bigSeller",
    path: () => `${transactions}?limit=10&${month}`,
  },
  {
    kind: "list",
    name: "seller: transactions, from the middle",
    as: "bigSeller",
    path: withIdFromTheMiddle((id) => `${transactions}?limit=10&after=${id}`),
  },
  {
    kind: "row",
    name: "seller: one transaction",
    as: "bigSeller",
    path: withIdFromTheMiddle((id) => `${transactions}/${id}`),
  },
  { kind: "summary", name: "seller: report of 30 days", as: "bigSeller", path: () => "/api/v1/reports/seller?days=30" },
  { kind: "search", name: "seller: transactions, searched", as: "bigSeller", path: searchedPayer(`${transactions}?`) },
  {
    kind: "search",
    name: "seller: everything, searched",
    as: "bigSeller",
    path: searchedPayer("/api/v1/search?", { parameter: "q" }),
  },
  { kind: "list", name: "seller: statement", as: "bigSeller", path: () => `${statement}?limit=10` },
  {
    kind: "list",
    name: "seller: statement, of an ended month",
    as: "bigSeller",
    path: () => `${statement}?limit=10&month=${endedMonth}`,
  },
  { kind: "list", name: "seller: statement, its second page", as: "bigSeller", path: secondPageOfStatement },
  { kind: "list", name: "seller: withdrawals", as: "bigSeller", path: () => "/api/v1/withdrawals?limit=10" },
  {
    kind: "list",
    name: "admin: a day of an account",
    as: "admin",
    rows: 10,
    path: () => `/api/v1/admin/accounts/psp-clearing:simulator/statement?limit=10&day=${dayBefore(40)}`,
  },
  { kind: "list", name: "admin: users", as: "admin", path: () => "/api/v1/admin/users?limit=100" },
  {
    kind: "list",
    name: "admin: users, inactive",
    as: "admin",
    rows: 20,
    path: () => "/api/v1/admin/users?limit=20&active=false",
  },
  {
    kind: "search",
    name: "admin: users, searched",
    as: "admin",
    path: () => "/api/v1/admin/users?limit=100&search=vendedor17%40",
  },
  {
    kind: "list",
    name: "admin: users, from the middle",
    as: "admin",
    path: middleOf("/api/v1/admin/users", "users"),
  },
  { kind: "list", name: "admin: withdrawals", as: "admin", path: () => "/api/v1/admin/withdrawals?limit=100" },
  {
    kind: "list",
    name: "admin: withdrawals, of one status",
    as: "admin",
    rows: 20,
    path: () => "/api/v1/admin/withdrawals?limit=20&status=pending",
  },
  {
    kind: "list",
    name: "admin: withdrawals, of a month",
    as: "admin",
    rows: 10,
    path: () => `/api/v1/admin/withdrawals?limit=10&${month}`,
  },
  { kind: "list", name: "admin: transactions", as: "admin", path: () => `${allTransactions}?limit=100` },
  {
    kind: "shown",
    name: "admin: transactions, the first time",
    as: "admin",
    isFirst: true,
    path: () => `${allTransactions}?limit=100`,
  },
  {
    kind: "list",
    name: "admin: transactions, failed",
    as: "admin",
    path: () => `${allTransactions}?limit=100&status=failed`,
  },
  {
    kind: "list",
    name: "admin: transactions, of a month",
    as: "admin",
    path: () => `${allTransactions}?limit=100&${month}`,
  },
  {
    kind: "search",
    name: "admin: transactions, a payer",
    as: "admin",
    path: searchedPayer(`${allTransactions}?totals=none`),
  },
  {
    kind: "search",
    name: "admin: transactions, a payer's totals",
    as: "admin",
    path: searchedPayer(`${allTransactions}?`, { limit: 1 }),
  },
  {
    kind: "search",
    name: "admin: transactions, a word in all",
    as: "admin",
    path: () => `${allTransactions}?limit=100&search=mentoria&totals=none`,
  },
  {
    kind: "search",
    name: "admin: transactions, a word in all, totals",
    as: "admin",
    path: () => `${allTransactions}?limit=1&search=mentoria`,
  },
  {
    kind: "list",
    name: "admin: transactions, from the middle",
    as: "admin",
    path: middleOf(allTransactions, "charges"),
  },
  {
    kind: "row",
    name: "admin: one transaction",
    as: "admin",
    path: withIdFromTheMiddle((id) => `${allTransactions}/${id}`),
  },
  {
    kind: "row",
    name: "payer: status of a payment",
    as: "bigSeller",
    path: withIdFromTheMiddle((id) => `/api/v1/checkout/payment-status/${id}`),
  },
  { kind: "list", name: "admin: pages", as: "admin", path: () => "/api/v1/admin/checkout-pages?limit=100" },
  {
    kind: "search",
    name: "admin: pages, searched",
    as: "admin",
    path: () => "/api/v1/admin/checkout-pages?limit=100&search=curso%2077",
  },
  {
    kind: "search",
    name: "admin: everything, a payer",
    as: "admin",
    path: searchedPayer("/api/v1/admin/search?", { parameter: "q" }),
  },
  {
    kind: "search",
    name: "admin: everything, a word in all",
    as: "admin",
    path: () => "/api/v1/admin/search?q=mentoria",
  },
  {
    kind: "list",
    name: "admin: unmatched payments",
    as: "admin",
    rows: 10,
    path: () => "/api/v1/admin/unmatched-payments?limit=10",
  },
  { kind: "summary", name: "admin: dashboard", as: "admin", path: () => "/api/v1/admin/reports/dashboard" },
  {
    kind: "summary",
    name: "admin: report of a year",
    as: "admin",
    path: () => `/api/v1/admin/reports/summary?${year}`,
  },
  {
    kind: "summary",
    name: "admin: best sellers of a month",
    as: "admin",
    path: () => "/api/v1/admin/reports/top-users?limit=5&period=month",
  },
  {
    kind: "summary",
    name: "admin: best sellers of a year",
    as: "admin",
    path: () => `/api/v1/admin/reports/top-users?limit=5&period=custom&${year}`,
  },
]

/** A payer of the big seller from the middle of the year. */
function searchedPayer(path: string, { limit = 100, parameter = "search" } = {}) {
  return async (place: Place) => {
    const { payer_name } = await chargeInTheMiddle(place)
    return `${path}&limit=${limit}&${parameter}=${encodeURIComponent(payer_name)}`
  }
}

function withIdFromTheMiddle(path: (id: string) => string) {
  return async (place: Place) => path((await chargeInTheMiddle(place)).id)
}

async function chargeInTheMiddle({ recorder, server }: Place): Promise<{ id: string; payer_name: string }> {
  const text = `select id, payer_name from charges where seller_id = $1 order by created_at desc, id desc limit 1 offset $2`
  const values = [server.bigSeller.id, Math.floor(server.charges / 20)]
  const [row] = (await recorder.run({ text, values })) as { id: string; payer_name: string }[]
  if (row === undefined) throw new Error("the big seller has sold nothing")
  return row
}

async function secondPageOfStatement({ recorder, server }: Place): Promise<string> {
  const text = `select (extract(epoch from at) * 1000000)::bigint || '.' || number as position from statement_lines
    where seller_id = $1 and at >= ($2 || '-01')::timestamp at time zone 'America/Sao_Paulo'
    order by at, number limit 1 offset 9`
  const [row] = (await recorder.run({ text, values: [server.bigSeller.id, endedMonth] })) as { position: string }[]
  if (row === undefined) throw new Error("the big seller's month has no second page")
  return `${statement}?limit=10&month=${endedMonth}&after=${row.position}`
}

/** The keyset page that follows the row in the middle of the list. */
function middleOf(path: string, table: "users" | "charges") {
  return async ({ recorder }: Place) => {
    const text = `select id from ${table} order by created_at desc, id desc limit 1
      offset (select count(*) / 2 from ${table})`
    const [row] = (await recorder.run({ text, values: [] })) as { id: string }[]
    return `${path}?limit=100&after=${row?.id}`
  }
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
