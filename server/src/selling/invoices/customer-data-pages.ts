import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { sentFields } from "@tilinta/contract/vocabulary/payer-data"
import type { FastifyInstance } from "fastify"
import { DomainError } from "#kit/errors"
import { readReceiver } from "#people/shops/reads"
import { readDays } from "#platform/settings/reads"
import { checkoutPath } from "#selling/charge-pages/rules"
import { isStorableLink } from "#selling/charge-pages/views"
import { serveDataPages } from "#selling/charges/data-pages"
import { checkedPayerData, type PayerData, payerDataOf } from "#selling/charges/rules"
import { correctOwnData, eraseOwnData } from "#selling/customers/own-data"
import { readOwnData } from "#selling/customers/reads"
import type { HttpDeps } from "#start/deps"
import { findInvoiceOfLink } from "./reads.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "payersUrl">

/** For whoever holds the link of an invoice of theirs. */
export function customerDataRoutes(scope: FastifyInstance, deps: Deps): void {
  serveCustomerData(scope, deps, {
    path: "/invoice/data",
    back: (link) => ({ path: checkoutPath(link), label: "Voltar à cobrança" }),
    async customerOf(link) {
      const invoice = isStorableLink(link) ? await findInvoiceOfLink(deps.db, link) : null
      if (invoice === null) throw new DomainError("payment_not_found")
      return { id: invoice.customer.id, sellerId: invoice.sellerId }
    },
  })
}

interface CustomersLink {
  /** The link follows. */
  path: string
  back(link: string): { path: string; label: string }
  customerOf(link: string): Promise<{ id: string; sellerId: string }>
}

/** The page on which a customer sees, corrects and deletes their data, by a link that is theirs. */
export function serveCustomerData(scope: FastifyInstance, deps: Deps, { path, back, customerOf }: CustomersLink): void {
  const { db } = deps
  serveDataPages(scope, deps, {
    path,
    title: "Os seus dados",
    outcomes: {
      corrected: "Pronto: os seus dados estão corrigidos, e quem cobra foi avisado.",
      erased: "Pronto: os seus dados foram apagados, e quem cobra foi avisado.",
      noted: "O pedido está anotado. Apagamos assim que não houver mais cobrança em aberto nem assinatura.",
    },
    admit: () => undefined,
    async read(link) {
      const { id, sellerId } = await customerOf(link)
      const [{ requestedAt, erasedAt, ...fields }, receiver, days] = await Promise.all([
        readOwnData(db, id),
        readReceiver(db, { sellerId, paidAt: null }),
        readDays(db, "CUSTOMER_DATA_DAYS"),
      ])
      return {
        data: payerDataOf(fields),
        requestedAt,
        erasedAt,
        words: {
          of: `O seu cadastro com ${receiver.name}.`,
          none: "Não guardamos dados seus neste cadastro.",
          kept: "Quem cobra cadastrou estes dados, e só quem cobra e nós os vemos.",
          until: days === null ? null : `Sem pedido, apagamos tudo ${days} dias depois da última cobrança.`,
          stays: "O que foi cobrado e pago fica, porque a lei manda guardar.",
        },
        back: back(link),
      }
    },
    async correct(link, address, sent) {
      const customer = await customerOf(link)
      const data = payerDataOf(await readOwnData(db, customer.id))
      await correctOwnData(deps, { customer, address, fields: checkedFields(data, sent) })
    },
    async erase(link, address) {
      return eraseOwnData(deps, { customer: await customerOf(link), address })
    },
  })
}

type Fields = Record<"name" | "document" | "email" | "phone", string | null>

/** Only what is held, and was typed. @throws validation_failed */
function checkedFields(data: PayerData, sent: CustomerInfoBody): Fields {
  const wanted = sentFields.filter((field) => data[field] !== null && (sent[field] ?? "").trim() !== "")
  const { name, email, phone, cpf, cnpj } = checkedPayerData(sent, wanted, "customerInfo")
  return { name, email, phone, document: cpf ?? cnpj }
}
