import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { dayQuery, id, isoDateTime, malformed, success, text, wholeNumberQuery } from "./fields.ts"
import * as heads from "./heads.ts"
import { accountKinds } from "./vocabulary/books.ts"

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

export const listAccountsEndpoint = defineEndpoint("listAccounts", heads.listAccounts, {
  audience: "admin",
  whileFrozen: true,
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

export const accountPostingView = z.object({
  at: isoDateTime,
  description: z.string(),
  /** Below zero when it debits the account; a payment moves a seller's balance by its net. */
  amount: z.number(),
  /** The endToEndId of a payment, else the id of the withdrawal, refund, dispute or entry. */
  reference: z.string(),
  /** The account on the other side. */
  counterAccount: z.string(),
  sellerId: z.nullable(id),
})
export type AccountPostingView = z.infer<typeof accountPostingView>

const postingCursor = z.string("Parâmetro inválido.").check(
  z.refine((value) => /^\d{1,19}\.\d{1,18}\.[\x20-\x7e]{0,200}$/.test(value), {
    error: "Parâmetro inválido.",
    params: malformed,
  }),
)

export const getAccountStatementEndpoint = defineEndpoint("getAccountStatement", heads.getAccountStatement, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary:
    "Os dias em que uma conta se moveu, do mais novo ao mais antigo, com o saldo no fim de cada um; com `day`, também os lançamentos desse dia, na ordem em que foram feitos",
  params: z.object({ id: text(100) }),
  query: z.object({
    after: dayQuery(),
    day: dayQuery(),
    /** `next` of the page before, with `day`. */
    afterPosting: z.optional(postingCursor),
    limit: wholeNumberQuery(31, 366),
  }),
  reply: {
    status: 200,
    schema: success(
      z.object({
        /** With its balance of now, or of the end of `day`. */
        account: accountView,
        rows: z.array(accountDayView),
        /** The postings of `day`; null without it. */
        postings: z.nullable(z.array(accountPostingView)),
        /** Cursor for `after`, with `day` for `afterPosting`; null on the last page. */
        next: z.nullable(z.string()),
      }),
    ),
  },
})

const fees = { id: "fee-revenue", kind: "fees", name: "Taxas", balance: 15 } as const

export const accountsExamples = [
  defineExample(listAccountsEndpoint, {
    query: { asOf: "2026-11-22" },
    data: {
      asOf: "2026-11-22",
      accounts: [
        { id: "psp-clearing:simulator", kind: "bank", name: "Banco: Simulador (testes)", balance: -100 },
        { id: "seller-available", kind: "seller_available", name: "Vendedores: saldo disponível", balance: 85 },
        fees,
      ],
      equation: { bank: 100, sellers: 85, ours: 15, waiting: 0, difference: 0 },
      uncoveredDebts: 0,
    },
    failures: [],
  }),
  defineExample(getAccountStatementEndpoint, {
    params: { id: fees.id },
    query: {},
    data: {
      account: fees,
      rows: [{ day: "2026-11-22", credits: 15, debits: 0, balance: 15 }],
      postings: null,
      next: null,
    },
    failures: ["not_found"],
  }),
]
