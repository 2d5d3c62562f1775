import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { perPeriod } from "@tilinta/contract/vocabulary/subscriptions"
import type { HandSettlementOutcome, HandSettlementSubject } from "@tilinta/contract/vocabulary/withdrawals"
import { dayText } from "#kit/clock"
import type { Letter } from "#mail/mailer"
import { type MailContent, momentText, type SettlementScreen, type WithdrawalStep } from "./mail-content.ts"

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
  const { payerName, receiver, shop, pageTitle, amountCents, paidAt, endToEndId, url } = content
  return {
    shop,
    subject: `Comprovante de ${reaisText(amountCents)}`,
    name: payerName,
    paragraphs: ["O seu pagamento por Pix foi confirmado. Guarde este comprovante."],
    facts: [
      { label: "Valor", value: reaisText(amountCents) },
      { label: "Quem recebeu", value: receiver },
      { label: "Descrição", value: pageTitle },
      { label: "Data", value: momentText(paidAt) },
      { label: "ID do Pix (endToEndId)", value: endToEndId },
    ],
    action: { label: "Ver comprovante", url },
    note: "Este link é seu: por ele também se veem, corrigem e apagam os seus dados. Para mostrar que pagou, envie o PDF ou use Enviar no WhatsApp, que estão no comprovante.",
  }
}

type OfSubscription = Extract<MailContent, { kind: "subscription" }>

const subscriptionWords: Record<OfSubscription["change"], { subject: string; text: string; action?: string }> = {
  started: {
    subject: "A sua assinatura",
    text: "A sua assinatura começou. Antes de cada vencimento há um link para pagar por Pix: nada é debitado sem a sua autorização.",
  },
  price: {
    subject: "Novo valor da sua assinatura",
    text: "O valor da sua assinatura mudou. Vale para as próximas cobranças; o que já foi cobrado fica como está.",
  },
  authorised: {
    subject: "Débito automático autorizado",
    text: "Você autorizou o débito desta assinatura por Pix Automático. Avisamos antes de cada débito. Cancele quando quiser no app do seu banco, em Pix Automático.",
  },
  authorisation_ended: {
    subject: "Débito automático encerrado",
    text: "O débito automático desta assinatura terminou. As próximas cobranças chegam por link, e nada mais é debitado.",
  },
  debit_coming: {
    subject: "Débito automático",
    text: "O valor abaixo vai ser debitado da sua conta por Pix Automático. Se o vencimento não for dia útil, o débito fica para o próximo. Para não pagar assim, cancele no app do seu banco até a véspera, ou pague antes pelo link.",
  },
  debit_failed: {
    subject: "O débito não foi feito",
    text: "O seu banco não fez o débito desta assinatura. Você pode pagar agora pelo link.",
    action: "Pagar pelo link",
  },
}

export function writeSubscriptionLetter(content: OfSubscription): Letter {
  const { change, customerName, receiver, shop, title, amountCents, formerCents, period, nextDueDay, debit, url } =
    content
  const price = (cents: Cents) => `${reaisText(cents)} ${perPeriod[period]}`
  const { subject, text, action } = subscriptionWords[change]
  return {
    shop,
    subject: `${change === "debit_coming" && debit?.day ? `Débito em ${dayText(debit.day)}` : subject}: ${title}`,
    name: customerName,
    paragraphs: [text],
    facts: [
      { label: "Assinatura", value: title },
      { label: "De quem", value: receiver },
      ...(debit === undefined ? [] : [{ label: "No app do seu banco", value: debit.inFavourOf }]),
      ...(formerCents === undefined ? [] : [{ label: "Valor até agora", value: price(formerCents) }]),
      { label: change === "price" ? "Novo valor" : "Valor", value: price(amountCents) },
      ...(debit?.problem === undefined ? [] : [{ label: "Motivo", value: debit.problem }]),
      ...(debit?.day === undefined ? [] : [{ label: "Vencimento", value: dayText(debit.day) }]),
      ...(debit?.retryDay === undefined ? [] : [{ label: "Nova tentativa", value: dayText(debit.retryDay) }]),
      ...(nextDueDay === null || debit !== undefined
        ? []
        : [{ label: "Próximo vencimento", value: dayText(nextDueDay) }]),
    ],
    action: { label: action ?? "Ver a minha assinatura", url },
    note: "Este link é seu: por ele se paga, se cancela a assinatura e se veem e corrigem os seus dados.",
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
    paragraph:
      "O valor saiu do seu saldo disponível. Um administrador confere o pedido, e avisamos quando o dinheiro sair.",
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
      ...(content.person === undefined ? [] : [{ label: "Quem fez", value: content.person }]),
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

type Opened = Extract<MailContent, { kind: "dispute_opened" }>
type Closed = Extract<MailContent, { kind: "dispute_closed" }>

export function writeDisputeLetter(content: Opened | Closed, name: string, publicUrl: string): Letter {
  return content.kind === "dispute_opened"
    ? openedLetter(content, name, publicUrl)
    : closedLetter(content, name, publicUrl)
}

function openedLetter(content: Opened, name: string, publicUrl: string): Letter {
  const { pageTitle, amountCents, blockedCents, reason, respondUntil } = content
  return {
    subject: `Pagamento contestado: ${reaisText(amountCents)}`,
    name,
    paragraphs: [
      "O pagador contestou no banco dele um Pix que você recebeu. Até a decisão dos bancos, o valor fica bloqueado e não pode ser sacado.",
      "Você pode escrever a sua defesa nos detalhes da transação: o que foi vendido, como e quando foi entregue.",
    ],
    facts: [
      { label: "Cobrança", value: pageTitle },
      { label: "Valor contestado", value: reaisText(amountCents) },
      { label: "Bloqueado do seu saldo", value: reaisText(blockedCents) },
      { label: "Motivo", value: disputeReasonLabels[reason] },
      ...(respondUntil === null ? [] : [{ label: "Responda até", value: momentText(respondUntil) }]),
    ],
    action: linkTo(content, publicUrl),
  }
}

function closedLetter(content: Closed, name: string, publicUrl: string): Letter {
  const { pageTitle, amountCents, isDebited } = content
  return {
    subject: `Contestação encerrada: ${reaisText(amountCents)}`,
    name,
    paragraphs: [
      isDebited
        ? "Os bancos aceitaram a contestação de um Pix que você recebeu: o valor bloqueado volta para o pagador."
        : "A contestação de um Pix que você recebeu foi encerrada a seu favor: o valor bloqueado voltou ao seu saldo.",
    ],
    facts: [
      { label: "Cobrança", value: pageTitle },
      { label: "Valor contestado", value: reaisText(amountCents) },
    ],
    action: linkTo(content, publicUrl),
  }
}

/** The disputed transaction opens next to the list. */
function linkTo({ chargeId }: Opened | Closed, publicUrl: string) {
  if (chargeId === undefined) return { label: "Ver transações", url: `${publicUrl}/transactions` }
  return { label: "Ver a transação", url: `${publicUrl}/transactions?transaction=${chargeId}` }
}

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
