import type { HandSettlementOutcome, HandSettlementSubject } from "@tilinta/contract/vocabulary/hand-settlement"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Letter } from "#mail/mail-layout"
import type { MailContent, SettlementScreen } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"

type Waits = Extract<MailContent, { kind: "settlement_waits" }>

const words = {
  withdrawal: {
    subject: (amount: string) => `Saque espera a sua confirmação: ${amount}`,
    paragraph:
      "O banco não responde sobre um saque há mais de um dia, e um administrador disse o que viu. Só vale quando outro administrador disser o mesmo.",
    button: "Ver o saque",
  },
  refund: {
    subject: (amount: string) => `Estorno espera a sua confirmação: ${amount}`,
    paragraph:
      "O banco não responde sobre um estorno há mais de um dia, e um administrador disse o que viu. Só vale quando outro administrador disser o mesmo.",
    button: "Ver o estorno",
  },
} as const satisfies Record<HandSettlementSubject, object>

const outcomeLabels = {
  paid: "foi pago",
  not_paid: "não foi pago",
} as const satisfies Record<HandSettlementOutcome, string>

const addresses = {
  withdrawals: "/admin/withdrawals?withdrawal=",
  transactions: "/admin/transactions?transaction=",
  "unmatched-payments": "/admin/unmatched-payments?payment=",
} as const satisfies Record<SettlementScreen, string>

/** For the admins who may say the same. */
export function writeSettlementLetter(content: Waits, name: string, publicUrl: string): Letter {
  const { subject, paragraph, button } = words[content.subject]
  const amount = reaisText(content.amountCents)
  return {
    subject: subject(amount),
    name,
    paragraphs: [paragraph, "Confirme só o que você também viu no extrato do banco."],
    facts: [
      { label: "Valor", value: amount },
      ...(content.sellerName === null ? [] : [{ label: "Vendedor", value: content.sellerName }]),
      { label: "Disse", value: content.saidBy },
      { label: "Data", value: momentText(content.saidAt) },
      { label: "O que houve", value: outcomeLabels[content.outcome] },
      ...(content.endToEndId === null ? [] : [{ label: "ID do Pix", value: content.endToEndId }]),
      { label: "Motivo", value: content.reason },
    ],
    action: { label: button, url: `${publicUrl}${addresses[content.screen]}${content.screenId}` },
  }
}
