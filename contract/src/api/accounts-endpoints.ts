import * as z from "zod/mini"
import { accountKinds } from "../vocabulary/ledger-accounts.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import { dayQuery, id, success, text, wholeNumberQuery } from "./fields.ts"

export const accountView = z.object({
  id,
  kind: z.enum(accountKinds),
  name: z.string(),
  /** Credits less debits: debts of ours are positive, the bank's money negative. All add up to zero. */
  balance: z.number(),
})
export type AccountView = z.infer<typeof accountView>

export const booksView = z.object({
  /** The day at whose end these were the balances, `YYYY-MM-DD`; today's are those of now. */
  asOf: z.string(),
  accounts: z.array(accountView),
  /** The bank's money = the sellers' + ours + what waits. */
  equation: z.object({
    bank: z.number(),
    sellers: z.number(),
    ours: z.number(),
    waiting: z.number(),
    /** Anything but 0 is an error of the books. */
    difference: z.number(),
  }),
  /** Sellers' debts that the fees don't cover: other sellers' money pays them. */
  uncoveredDebts: z.number(),
})
export type BooksView = z.infer<typeof booksView>

const tag = "Administração: contas"

export const listAccountsEndpoint = defineEndpoint({
  operationId: "listAccounts",
  method: "GET",
  path: "/api/v1/admin/accounts",
  audience: "admin",
  tag,
  summary: "O plano de contas e os saldos, agora ou no fim de qualquer dia (`asOf`)",
  query: z.object({ asOf: dayQuery() }),
  reply: { status: 200, schema: success(booksView) },
})

export const accountDayView = z.object({
  day: z.string(),
  credits: z.number(),
  debits: z.number(),
  /** The balance at the day's end. */
  balance: z.number(),
})

export const getAccountStatementEndpoint = defineEndpoint({
  operationId: "getAccountStatement",
  method: "GET",
  path: "/api/v1/admin/accounts/:id/statement",
  audience: "admin",
  tag,
  summary: "Os dias em que uma conta se moveu, do mais novo ao mais antigo, com o saldo no fim de cada um",
  params: z.object({ id: text(100) }),
  query: z.object({ after: dayQuery(), limit: wholeNumberQuery(31, 366) }),
  reply: {
    status: 200,
    schema: success(z.object({ account: accountView, rows: z.array(accountDayView), next: z.nullable(z.string()) })),
  },
})
