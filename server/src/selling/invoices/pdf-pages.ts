import type { Readable } from "node:stream"
import { invoiceStateLabels, type SentTerms, sentTermsOf } from "@tilinta/contract/vocabulary/invoices"
import { type Cents, centsFromReais, noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import { documentName, documentText } from "@tilinta/contract/vocabulary/typed-data"
import { type Day, dayText, dueToday, saoPauloDay } from "#kit/clock"
import { drawQr, openReceipt, type ReceiptLine } from "#money/receipts/pdf"
import type { Shop } from "#people/shops/rules"
import { readPlatform } from "#platform/settings/reads"
import { checkoutPath } from "#selling/charge-pages/rules"
import type { HttpDeps } from "#start/deps"
import { amountOn, type Invoice, stateOn } from "./rules.ts"

interface Facts {
  invoice: Invoice
  shop: Shop | null
  sellerName: string
}

/** Today's amount and the terms of all days. Its Pix code is that of its whole life: one of a day would be kept, and paid on another. */
export async function invoicePdf(
  { db, clock, payersUrl }: Pick<HttpDeps, "db" | "clock" | "payersUrl">,
  facts: Facts,
): Promise<Readable> {
  const { invoice } = facts
  const today = dueToday(clock)
  const link = `${payersUrl}${checkoutPath(invoice.uniqueLink)}`
  const { document, width } = await openReceipt({
    title: "Cobrança",
    amountCents: invoice.paid?.paidCents ?? amountOn(invoice, today).amount,
    platformName: (await readPlatform(db)).name,
    lines: linesOf(facts, today, link),
  })
  if (invoice.status === "open") {
    const byLink = "Aponte a câmera do celular, ou abra o link, para pagar por Pix o valor do dia em que pagar."
    const byCode = "Pague por Pix com este QR code no app do seu banco. O banco calcula o valor do dia em que pagar."
    const { pixCode } = invoice
    drawQr(document, { text: pixCode ?? link, width, note: pixCode === null ? byLink : byCode })
  }
  document.end()
  return document
}

function linesOf({ invoice, shop, sellerName }: Facts, today: Day, link: string): ReceiptLine[] {
  const { customer, description, terms, paidAt, paid } = invoice
  const priced = amountOn(invoice, today)
  const amount = (label: string, cents: Cents, sign = "") =>
    cents === noMoney ? [] : [{ label, value: `${sign}${reaisText(cents)}` }]
  return [
    { label: "De", value: shop?.name || sellerName },
    ...(shop === null || shop.document === ""
      ? []
      : [{ label: documentName(shop.document), value: documentText(shop.document) }]),
    { label: "Para", value: customer.name },
    ...(description === "" ? [] : [{ label: "Descrição", value: description }]),
    { label: "Vencimento", value: dueText(invoice) },
    { label: "Situação", value: invoiceStateLabels[stateOn(invoice, today)] },
    ...(paidAt === null
      ? [{ label: "Valor calculado em", value: dayText(today) }]
      : [{ label: "Paga em", value: dayText(saoPauloDay(paidAt)) }]),
    ...amount("Valor original", terms.amountCents),
    ...amount("Desconto", paid?.discountCents ?? priced.discount, "-"),
    ...amount("Multa", paid?.fineCents ?? priced.fine),
    ...amount("Juros", paid?.interestCents ?? priced.interest),
    ...(invoice.status === "open" ? [{ label: "Condições", value: conditions(invoice).join("\n") }] : []),
    ...contactOf(shop),
    ...(invoice.status === "open" && invoice.pixCode !== null
      ? [{ label: "Pix copia e cola", value: invoice.pixCode }]
      : []),
    { label: "Link", value: link },
  ]
}

function dueText({ terms: { dueDay }, adjustedDueDay: adjusted }: Invoice): string {
  return adjusted === dueDay ? dayText(dueDay) : `${dayText(dueDay)}, sem acréscimo até ${dayText(adjusted)}`
}

function conditions({ terms, adjustedDueDay: adjusted, lastDay }: Invoice): string[] {
  const { discounts, fine, interest } = sentTermsOf(terms)
  return [
    ...(discounts ?? []).map(
      ({ type, value, until }) =>
        `Desconto de ${valueText(type, value)} até ${dayText(until === terms.dueDay ? adjusted : until)}`,
    ),
    ...(fine ? [`Multa de ${valueText(fine.type, fine.value)} depois do vencimento`] : []),
    ...(interest ? [`Juros de ${interestText(interest)}`] : []),
    `Pode ser paga até ${dayText(lastDay)}`,
  ]
}

const percent = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 2 })

function valueText(type: "percent" | "fixed", value: number): string {
  return type === "percent" ? `${percent.format(value)}%` : reaisText(centsFromReais(value))
}

function interestText({ type, value }: NonNullable<SentTerms["interest"]>): string {
  if (type === "fixedDay") return `${reaisText(centsFromReais(value))} por dia`
  return `${percent.format(value)}% ${type === "percentMonth" ? "ao mês" : "ao dia"}`
}

function contactOf(shop: Shop | null): ReceiptLine[] {
  const phone = shop?.whatsapp.replace(/^(\d{2})(\d{4,5})(\d{4})$/, "($1) $2-$3")
  const contact = [phone, shop?.email].filter(Boolean).join(" · ")
  return contact === "" ? [] : [{ label: "Contato", value: contact }]
}
