import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Letter } from "#mail/mail-layout"
import type { MailContent, WithdrawalStep } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"

type Requested = Extract<MailContent, { kind: "withdrawal_requested" }>
type Step = Extract<MailContent, { kind: "withdrawal_step" }>

export const methodLabels = { pix: "Pix", bank_transfer: "Transferência bancária" } as const
const comparisonLabels = {
  first: "Primeiro saque deste vendedor",
  same: "O mesmo do último saque pago",
  changed: "Diferente do último saque pago",
} as const

/** For the admins, who decide about the request. */
export function writeRequestLetter(content: Requested, name: string, publicUrl: string): Letter {
  return {
    subject: `Saque solicitado: ${reaisText(content.amountCents)}`,
    name,
    paragraphs: ["Um vendedor solicitou um saque, que aguarda a sua análise."],
    facts: [
      { label: "Vendedor", value: content.sellerName },
      { label: "Valor", value: reaisText(content.amountCents) },
      { label: "Método", value: methodLabels[content.method] },
      { label: "Destino", value: content.destination },
      { label: "Comparação", value: comparisonLabels[content.comparison] },
      { label: "Data", value: momentText(content.requestedAt) },
    ],
    action: { label: "Analisar saques", url: `${publicUrl}/admin/withdrawals` },
  }
}

const notYou = "Se não foi você, cancele o saque enquanto ele está pendente, troque a sua senha e fale com o suporte."

const steps = {
  requested: {
    subject: "Recebemos o seu pedido de saque",
    paragraph: "O valor saiu do seu saldo disponível, e o saque aguarda aprovação. Avisamos a cada etapa.",
    note: notYou,
  },
  approved: {
    subject: "Saque aprovado",
    paragraph: "O seu saque foi aprovado e segue para pagamento.",
    note: "Se não foi você que pediu, troque a sua senha e fale com o suporte agora mesmo.",
  },
  completed: {
    subject: "Saque pago",
    paragraph: "O valor foi enviado para a sua conta.",
    note: "Se não foi você que pediu, troque a sua senha e fale com o suporte agora mesmo.",
  },
  rejected: {
    subject: "Saque recusado",
    paragraph: "O saque não foi pago, e o valor voltou para o seu saldo disponível.",
    note: null,
  },
} as const satisfies Record<WithdrawalStep, { subject: string; paragraph: string; note: string | null }>

/** For the seller: nobody's money leaves unnoticed. */
export function writeStepLetter(content: Step, name: string, publicUrl: string): Letter {
  const { subject, paragraph, note } = steps[content.step]
  return {
    subject: `${subject}: ${reaisText(content.amountCents)}`,
    name,
    paragraphs: [paragraph],
    facts: [
      { label: "Valor", value: reaisText(content.amountCents) },
      { label: "Destino", value: content.destination },
      { label: "Data", value: momentText(content.happenedAt) },
      ...(content.endToEndId === null ? [] : [{ label: "ID do Pix (endToEndId)", value: content.endToEndId }]),
      ...(content.note === ""
        ? []
        : [{ label: content.step === "rejected" ? "Motivo" : "Observação", value: content.note }]),
    ],
    action: { label: "Ver meus saques", url: `${publicUrl}/withdrawals` },
    ...(note !== null && { note }),
  }
}
