import { reaisText } from "@tilinta/contract/vocabulary/money"
import { dayText } from "#kit/sao-paulo-day"
import type { Letter } from "#mail/mail-layout"
import type { MailContent } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"

/** Mails about a seller's payments. */
export function writePaymentLetter(
  content: Received | PayersReceipt | PaymentsOfDay | Refunded,
  name: string,
  publicUrl: string,
): Letter {
  switch (content.kind) {
    case "payment_received":
      return receivedLetter(content, name, publicUrl)
    case "receipt":
      return payersLetter(content)
    case "payments_of_day":
      return summaryLetter(content, name, publicUrl)
    case "payment_refunded":
      return refundLetter(content, name, publicUrl)
  }
}

type Received = Extract<MailContent, { kind: "payment_received" }>

function receivedLetter(content: Received, name: string, publicUrl: string): Letter {
  return {
    subject: `Pagamento recebido: ${reaisText(content.amountCents)}`,
    name,
    paragraphs: ["Você recebeu um pagamento por Pix. O valor líquido já está no seu saldo."],
    facts: [
      { label: "Cobrança", value: content.pageTitle },
      ...(content.payerName === null ? [] : [{ label: "Pagador", value: content.payerName }]),
      { label: "Data", value: momentText(content.paidAt) },
      { label: "Valor", value: reaisText(content.amountCents) },
      { label: "Taxa", value: reaisText(content.feeCents) },
      { label: "Valor líquido", value: reaisText(content.netCents) },
    ],
    action: { label: "Ver transações", url: `${publicUrl}/transactions` },
  }
}

type PayersReceipt = Extract<MailContent, { kind: "receipt" }>

function payersLetter(content: PayersReceipt): Letter {
  const { payerName, receiver, pageTitle, amountCents, paidAt, endToEndId, url } = content
  return {
    subject: `Recibo de ${reaisText(amountCents)}`,
    name: payerName,
    paragraphs: [
      "O seu pagamento por Pix foi confirmado. O recibo é assinado: quem o recebe de você confere se é verdadeiro.",
    ],
    facts: [
      { label: "Valor", value: reaisText(amountCents) },
      { label: "Quem recebeu", value: receiver },
      { label: "Descrição", value: pageTitle },
      { label: "Data", value: momentText(paidAt) },
      { label: "ID do Pix (endToEndId)", value: endToEndId },
    ],
    action: { label: "Ver o recibo", url },
    note: "Este link é seu: por ele também se veem, corrigem e apagam os seus dados. Para mostrar que pagou, envie o recibo.",
  }
}

type PaymentsOfDay = Extract<MailContent, { kind: "payments_of_day" }>

function summaryLetter(content: PaymentsOfDay, name: string, publicUrl: string): Letter {
  const { day, count, grossCents, feeCents, netCents } = content
  return {
    subject: `Resumo de ${dayText(day)}: ${reaisText(netCents)}`,
    name,
    paragraphs: [count === 1 ? "Você recebeu 1 pagamento por Pix." : `Você recebeu ${count} pagamentos por Pix.`],
    facts: [
      { label: "Dia", value: dayText(day) },
      { label: "Valor", value: reaisText(grossCents) },
      { label: "Taxa", value: reaisText(feeCents) },
      { label: "Valor líquido", value: reaisText(netCents) },
    ],
    action: { label: "Ver transações", url: `${publicUrl}/transactions?dateFrom=${day}&dateTo=${day}` },
  }
}

type Refunded = Extract<MailContent, { kind: "payment_refunded" }>

function refundLetter(content: Refunded, name: string, publicUrl: string): Letter {
  return {
    subject: `Pagamento estornado: ${reaisText(content.amountCents)}`,
    name,
    paragraphs: [
      content.origin === "bank"
        ? "O banco estornou ao pagador um pagamento que você recebeu por Pix, e o valor saiu do seu saldo."
        : "O suporte estornou ao pagador um pagamento que você recebeu por Pix, e o valor saiu do seu saldo.",
    ],
    facts: [
      { label: "Cobrança", value: content.pageTitle },
      { label: "Data", value: momentText(content.refundedAt) },
      { label: "Valor estornado", value: reaisText(content.amountCents) },
      { label: "Saiu do seu saldo", value: reaisText(content.takenCents) },
      ...(content.reason === "" ? [] : [{ label: "Motivo", value: content.reason }]),
    ],
    action: { label: "Ver transações", url: `${publicUrl}/transactions` },
  }
}
