import { reaisText } from "#kit/money"
import { dayText } from "#kit/sao-paulo-day"
import type { Letter } from "#mail/mail-layout"
import type { MailContent } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"
import { writeAccountLetter } from "./write-account-letter.ts"
import { writeDisputeLetter } from "./write-dispute-letter.ts"
import { writeSettlementLetter } from "./write-settlement-letter.ts"
import { writeWebhookLetter } from "./write-webhook-letter.ts"
import { methodLabels, writeRequestLetter, writeStepLetter } from "./write-withdrawal-letter.ts"

/** The text of each kind of mail. Links lead only to our own public address. */
export function writeLetter(content: MailContent, name: string, publicUrl: string): Letter {
  switch (content.kind) {
    case "reset_password":
    case "invitation":
    case "password_changed":
    case "email_changed":
    case "bank_account_changed":
    case "second_factor_changed":
    case "api_key_created":
      return writeAccountLetter(content, name, publicUrl)
    case "webhook_address":
    case "webhook_failing":
      return writeWebhookLetter(content, name, publicUrl)
    case "payment_received":
      return receivedLetter(content, name, publicUrl)
    case "payments_of_day":
      return summaryLetter(content, name, publicUrl)
    case "payment_refunded":
      return refundLetter(content, name, publicUrl)
    case "daily_close_differs":
      return closeLetter(content, name, publicUrl)
    case "dispute_opened":
    case "dispute_closed":
      return writeDisputeLetter(content, name, publicUrl)
    case "withdrawal_returned":
      return returnedLetter(content, name, publicUrl)
    case "settlement_waits":
      return writeSettlementLetter(content, name, publicUrl)
    case "withdrawal_requested":
      return writeRequestLetter(content, name, publicUrl)
    case "withdrawal_step":
      return writeStepLetter(content, name, publicUrl)
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

type Differs = Extract<MailContent, { kind: "daily_close_differs" }>

function closeLetter({ closeId, day, provider, count }: Differs, name: string, publicUrl: string): Letter {
  return {
    subject: `Fechamento de ${dayText(day)}: ${count === 1 ? "1 diferença" : `${count} diferenças`} com o banco`,
    name,
    paragraphs: [
      "O extrato do banco e os registros da plataforma não batem neste dia. Recebimentos que faltavam já foram lançados; as diferenças precisam da sua análise.",
    ],
    facts: [
      { label: "Dia", value: dayText(day) },
      { label: "Provedor", value: provider },
      { label: "Diferenças", value: String(count) },
    ],
    action: { label: "Ver as diferenças", url: `${publicUrl}/admin/daily-closes?close=${closeId}` },
  }
}

type Returned = Extract<MailContent, { kind: "withdrawal_returned" }>

function returnedLetter(content: Returned, name: string, publicUrl: string): Letter {
  const { amountCents, returnedCents, wasPaid } = content
  const isWhole = returnedCents === amountCents
  return {
    subject: `Saque devolvido ao seu saldo: ${reaisText(returnedCents)}`,
    name,
    paragraphs: [
      wasPaid
        ? `${isWhole ? "Um saque que pagamos" : "Uma parte de um saque que pagamos"} voltou para nós, e o valor está de novo no seu saldo.`
        : "Não conseguimos pagar um saque que tinha sido aprovado, e o valor está de novo no seu saldo.",
      "Confira os dados para onde o dinheiro deve ir antes de solicitar o saque de novo.",
    ],
    facts: [
      { label: "Valor do saque", value: reaisText(amountCents) },
      { label: "De volta ao saldo", value: reaisText(returnedCents) },
      { label: "Método", value: methodLabels[content.method] },
      { label: "Data", value: momentText(content.returnedAt) },
      { label: "Motivo", value: content.reason },
    ],
    action: { label: "Ver saques", url: `${publicUrl}/withdrawals` },
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
