import { reaisText } from "#kit/money"
import type { Letter } from "#mail/mail-layout"
import type { MailContent } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"
import { writeAccountLetter } from "./write-account-letter.ts"
import { writeDisputeLetter } from "./write-dispute-letter.ts"

/** The text of each kind of mail. Links lead only to our own public address. */
export function writeLetter(content: MailContent, name: string, publicUrl: string): Letter {
  switch (content.kind) {
    case "reset_password":
    case "invitation":
    case "password_changed":
    case "email_changed":
    case "bank_account_changed":
      return writeAccountLetter(content, name, publicUrl)
    case "payment_received":
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
    case "payment_refunded":
      return refundLetter(content, name, publicUrl)
    case "daily_close_differs":
      return closeLetter(content, name, publicUrl)
    case "dispute_opened":
    case "dispute_closed":
      return writeDisputeLetter(content, name, publicUrl)
    case "withdrawal_requested":
      return {
        subject: `Saque solicitado: ${reaisText(content.amountCents)}`,
        name,
        paragraphs: ["Um vendedor solicitou um saque, que espera a sua análise."],
        facts: [
          { label: "Vendedor", value: content.sellerName },
          { label: "Valor", value: reaisText(content.amountCents) },
          { label: "Método", value: content.method === "pix" ? "PIX" : "Transferência bancária" },
          { label: "Data", value: momentText(content.requestedAt) },
        ],
        action: { label: "Analisar saques", url: `${publicUrl}/admin/withdrawals` },
      }
  }
}

type Differs = Extract<MailContent, { kind: "daily_close_differs" }>

function closeLetter({ closeId, day, provider, count }: Differs, name: string, publicUrl: string): Letter {
  const dayText = day.split("-").toReversed().join("/")
  return {
    subject: `Fechamento de ${dayText}: ${count === 1 ? "1 diferença" : `${count} diferenças`} com o banco`,
    name,
    paragraphs: [
      "Os nossos livros e a lista do banco não contam a mesma história deste dia. Nada foi lançado por conta própria: as diferenças esperam a sua análise.",
    ],
    facts: [
      { label: "Dia", value: dayText },
      { label: "Provedor", value: provider },
      { label: "Diferenças", value: String(count) },
    ],
    action: { label: "Ver as diferenças", url: `${publicUrl}/admin/daily-closes?close=${closeId}` },
  }
}

type Refunded = Extract<MailContent, { kind: "payment_refunded" }>

function refundLetter(content: Refunded, name: string, publicUrl: string): Letter {
  return {
    subject: `Pagamento devolvido: ${reaisText(content.amountCents)}`,
    name,
    paragraphs: [
      content.origin === "bank"
        ? "O banco devolveu ao pagador um pagamento que você recebeu por Pix, e o valor saiu do seu saldo."
        : "O suporte devolveu ao pagador um pagamento que você recebeu por Pix, e o valor saiu do seu saldo.",
    ],
    facts: [
      { label: "Cobrança", value: content.pageTitle },
      { label: "Data", value: momentText(content.refundedAt) },
      { label: "Valor devolvido", value: reaisText(content.amountCents) },
      { label: "Saiu do seu saldo", value: reaisText(content.takenCents) },
      ...(content.reason === "" ? [] : [{ label: "Motivo", value: content.reason }]),
    ],
    action: { label: "Ver transações", url: `${publicUrl}/transactions` },
  }
}
