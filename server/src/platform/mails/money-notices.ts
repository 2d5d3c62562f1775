import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { REMINDERS_A_DAY } from "@tilinta/contract/vocabulary/reminders"
import type { RefundOrigin } from "@tilinta/contract/vocabulary/transactions"
import { type DestinationOwner, destinationOwnerLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { type MailContent, momentText, noticeKind, type WithdrawalStep, whenceFacts } from "./mail-content.ts"

type Mailed<Kind extends MailContent["kind"]> = Omit<Extract<MailContent, { kind: Kind }>, "kind">

const notYou = "Se não foi você que pediu, troque a sua senha e fale com o suporte agora mesmo."

const stepTitles: Record<WithdrawalStep, string> = {
  requested: "Saque solicitado",
  approved: "Saque aprovado",
  completed: "Saque pago",
  rejected: "Saque recusado",
}

/** Each withdrawal has one notice, which is written over as the withdrawal goes on. */
const withdrawalNotices = {
  withdrawal_step: noticeKind<Mailed<"withdrawal_step"> & { withdrawalId: string }>({
    topic: "activity",
    tone: "info",
    write: ({ withdrawalId, step, amountCents, destination, note, person = "" }) => ({
      title: `${stepTitles[step]}: ${reaisText(amountCents)}`,
      text: destination,
      facts: [
        ...whenceFacts({ person }),
        ...(note === "" ? [] : [{ label: step === "rejected" ? "Motivo" : "Observação", value: note }]),
      ],
      action: toWithdrawal(withdrawalId),
    }),
    mail(facts) {
      const { withdrawalId: _, ...content } = facts
      return { kind: "withdrawal_step", ...content }
    },
  }),
  withdrawal_cancelled: noticeKind<{ withdrawalId: string; amountCents: Cents; destination: string }>({
    topic: "activity",
    tone: "info",
    write: ({ withdrawalId, amountCents, destination }) => ({
      title: `Saque cancelado: ${reaisText(amountCents)}`,
      text: `${destination}. O valor está de novo no seu saldo.`,
      action: toWithdrawal(withdrawalId),
    }),
    mail: false,
  }),
  withdrawal_returned: noticeKind<Mailed<"withdrawal_returned"> & { withdrawalId: string }>({
    topic: "activity",
    tone: "info",
    write: ({ withdrawalId, returnedCents, reason }) => ({
      title: `Saque devolvido ao seu saldo: ${reaisText(returnedCents)}`,
      text: "O valor está de novo no seu saldo.",
      facts: [{ label: "Motivo", value: reason }],
      action: toWithdrawal(withdrawalId),
    }),
    mail(facts) {
      const { withdrawalId: _, ...content } = facts
      return { kind: "withdrawal_returned", ...content }
    },
  }),
  withdrawal_held: noticeKind<{
    withdrawalId: string
    amountCents: Cents
    destination: string
    heldUntil: string | null
    reasons: string[]
  }>({
    topic: "activity",
    tone: "info",
    write: ({ withdrawalId, amountCents, destination, heldUntil, reasons }) => ({
      title: `Saque em espera: ${reaisText(amountCents)}`,
      text: `${destination}. ${heldUntil === null ? "O saque espera a análise de uma pessoa." : `O saque pode ser aprovado a partir de ${momentText(heldUntil)}.`}`,
      facts: reasons.map((value) => ({ label: "Por quê", value })),
      action: toWithdrawal(withdrawalId),
      ifNotYou: notYou,
    }),
    mail: true,
  }),
  destination_added: noticeKind<{
    destination: string
    amountCents: Cents
    addedAt: string
    heldUntil: string | null
    address: string | null
    device: string | null
    person?: string
  }>({
    topic: "security",
    tone: "warning",
    write: ({ destination, amountCents, addedAt, heldUntil, address, device, person = "" }) => ({
      title: "Um destino novo para os seus saques",
      text: `Foi pedido um saque para um destino que nunca tinha sido usado, em ${momentText(addedAt)}.${heldUntil === null ? "" : ` Por segurança, ele espera até ${momentText(heldUntil)}.`}`,
      facts: [
        { label: "Destino", value: destination },
        { label: "Valor", value: reaisText(amountCents) },
        ...whenceFacts({ person }),
        ...(device === null ? [] : [{ label: "Aparelho", value: device }]),
        ...(address === null ? [] : [{ label: "Endereço IP", value: address }]),
      ],
      action: { label: "Ver meus saques", path: "/withdrawals" },
      ifNotYou: notYou,
    }),
    mail: true,
  }),
  withdrawal_rule_paused: noticeKind<{ reason: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ reason }) => ({
      title: "O seu saque automático está pausado",
      text: "Nada mais é sacado sozinho até você ligá-lo de novo.",
      facts: [{ label: "Por quê", value: reason }],
      action: { label: "Ver meus saques", path: "/withdrawals" },
    }),
    mail: true,
  }),
  destination_owner: noticeKind<{ destination: string; owner: DestinationOwner; saidAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ destination, owner, saidAt }) => ({
      title: "O titular de um destino dos seus saques",
      text: `A plataforma anotou em ${momentText(saidAt)} de quem é um destino dos seus saques.`,
      facts: [
        { label: "Destino", value: destination },
        { label: "De quem é", value: destinationOwnerLabels[owner] },
      ],
      action: { label: "Ver meus saques", path: "/withdrawals" },
    }),
    mail: true,
  }),
}

/** The payer is not named: who reads the notice finds them, until they are erased, in the transaction. */
const paymentNotices = {
  payment_received: noticeKind<{ chargeId: string; pageTitle: string; amountCents: Cents; netCents: Cents }>({
    topic: "activity",
    tone: "info",
    write: ({ chargeId, pageTitle, amountCents, netCents }) => ({
      title: `Pagamento recebido: ${reaisText(amountCents)}`,
      text: `${pageTitle}. Líquido: ${reaisText(netCents)}.`,
      action: toTransaction(chargeId),
    }),
    mail: false,
  }),
  subscription_by_customer: noticeKind<{
    subscriptionId: string
    change: "started" | "cancelled"
    customerName: string
    title: string
    changedAt: string
  }>({
    topic: "activity",
    tone: "info",
    write: ({ subscriptionId, change, customerName, title, changedAt }) => ({
      title: change === "started" ? `Nova assinatura: ${title}` : `Assinatura cancelada: ${title}`,
      text: `${customerName} ${change === "started" ? "assinou pela página do plano" : "cancelou pela página da assinatura"} em ${momentText(changedAt)}.`,
      facts: [],
      action: { label: "Ver a assinatura", path: `/subscriptions/${subscriptionId}` },
    }),
    mail: false,
  }),
  automatic_pix_allowed: noticeKind<{ enabled: boolean; reason: string }>({
    topic: "activity",
    tone: "info",
    write: ({ enabled, reason }) => ({
      title: enabled ? "Pix Automático habilitado" : "Pix Automático desabilitado",
      text: enabled
        ? "Você já pode pedir aos clientes de uma assinatura que autorizem o débito. O banco deles mostra o nome da plataforma: cobre só o que foi combinado."
        : "Nenhum débito novo é feito: as cobranças das suas assinaturas vão por link.",
      facts: [{ label: "Motivo", value: reason }],
      action: { label: "Ver assinaturas", path: "/subscriptions" },
    }),
    mail: true,
  }),
  automatic_pix: noticeKind<{ subscriptionId: string; title: string; text: string }>({
    topic: "activity",
    tone: "info",
    write: ({ subscriptionId, title, text }) => ({
      title,
      text,
      facts: [],
      action: { label: "Ver a assinatura", path: `/subscriptions/${subscriptionId}` },
    }),
    mail: false,
  }),
  invoices_overdue: noticeKind<{ day: string; count: number; amountCents: Cents }>({
    topic: "activity",
    tone: "info",
    write: ({ count, amountCents }) => ({
      title: `${count === 1 ? "1 cobrança venceu" : `${count} cobranças venceram`}: ${reaisText(amountCents)}`,
      text: "Valores originais, do que venceu e ainda não foi pago.",
      action: { label: "Ver as vencidas", path: "/receivables?status=overdue" },
    }),
    mail: false,
  }),
  reminders_full: noticeKind<{ day: string }>({
    topic: "activity",
    tone: "info",
    write: () => ({
      title: `Hoje já foram ${REMINDERS_A_DAY.toLocaleString("pt-BR")} lembretes por e-mail`,
      text: "É o máximo de um dia, para que os provedores de e-mail não os tomem por spam. Os que ainda fazem sentido amanhã vão amanhã.",
      action: { label: "Ver a régua de cobrança", path: "/receivables/reminders" },
    }),
    mail: false,
  }),
  payments_received: noticeKind<{ day: string; hour: number; count: number; amountCents: Cents; netCents: Cents }>({
    topic: "activity",
    tone: "info",
    write: ({ day, hour, count, amountCents, netCents }) => ({
      title: `${count} pagamentos recebidos: ${reaisText(amountCents)}`,
      text: `Das ${hour}h às ${hour + 1}h. Líquido: ${reaisText(netCents)}.`,
      action: { label: "Ver as transações do dia", path: `/transactions?dateFrom=${day}&dateTo=${day}` },
    }),
    mail: false,
  }),
  payment_refunded: noticeKind<Omit<Mailed<"payment_refunded">, "origin"> & { chargeId: string; origin: RefundOrigin }>(
    {
      topic: "activity",
      tone: "info",
      write: ({ chargeId, origin, pageTitle, amountCents, takenCents, reason, person = "" }) => ({
        title: `${refundTitles[origin]}: ${reaisText(amountCents)}`,
        text: `${pageTitle}. Saiu do seu saldo: ${reaisText(takenCents)}.`,
        facts: [...whenceFacts({ person }), ...(reason === "" ? [] : [{ label: "Motivo", value: reason }])],
        action: toTransaction(chargeId),
      }),
      // Sellers aren't mailed of what they asked for.
      mail(facts) {
        const { chargeId: _, origin, ...content } = facts
        return origin === "seller" ? null : { kind: "payment_refunded", origin, ...content }
      },
    },
  ),
  refund_asked: noticeKind<{ askedBy: string; amountCents: Cents; description: string; reason: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ askedBy, amountCents, description, reason }) => ({
      title: `${askedBy} pede o estorno de ${reaisText(amountCents)}`,
      text: `${description}. Nada sai do saldo sem um dono ou gerente.`,
      facts: reason === "" ? [] : [{ label: "Motivo", value: reason }],
      action: { label: "Ver o pedido", path: "/transactions" },
    }),
    // The payer stands at the counter and can't wait for a mail.
    mail: false,
  }),
  refund_refused: noticeKind<{ chargeId: string; pageTitle: string; amountCents: Cents; reason: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ chargeId, pageTitle, amountCents, reason }) => ({
      title: `Estorno recusado pelo banco: ${reaisText(amountCents)}`,
      text: `${pageTitle}. O valor está de novo no seu saldo.`,
      facts: [{ label: "Motivo", value: reason }],
      action: toTransaction(chargeId),
    }),
    mail: false,
  }),
  dispute_opened: noticeKind<Mailed<"dispute_opened"> & { chargeId: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ chargeId, pageTitle, amountCents, reason, respondUntil }) => ({
      title: `Pagamento contestado: ${reaisText(amountCents)}`,
      text: `${pageTitle}. O valor fica bloqueado até a decisão dos bancos.`,
      facts: [
        { label: "Motivo", value: disputeReasonLabels[reason] },
        ...(respondUntil === null ? [] : [{ label: "Responda até", value: momentText(respondUntil) }]),
      ],
      action: toTransaction(chargeId),
    }),
    mail: (facts) => ({ kind: "dispute_opened", ...facts }),
  }),
  dispute_closed: noticeKind<Mailed<"dispute_closed"> & { chargeId: string }>({
    topic: "activity",
    tone: "info",
    write: ({ chargeId, pageTitle, amountCents, isDebited }) => ({
      title: `Contestação encerrada: ${reaisText(amountCents)}`,
      text: `${pageTitle}. ${isDebited ? "O valor bloqueado volta para o pagador." : "O valor bloqueado voltou ao saldo."}`,
      action: toTransaction(chargeId),
    }),
    mail: (facts) => ({ kind: "dispute_closed", ...facts }),
  }),
  balance_corrected: noticeKind<{ isCredit: boolean; amountCents: Cents; reason: string; correctedAt: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ isCredit, amountCents, reason, correctedAt }) => ({
      title: `Correção do seu saldo: ${isCredit ? "+" : "-"}${reaisText(amountCents)}`,
      text: `A plataforma corrigiu o seu saldo em ${momentText(correctedAt)}.`,
      facts: [{ label: "Motivo", value: reason }],
      action: { label: "Ver o extrato", path: "/statement" },
      note: "Se você não reconhece o motivo, fale com o suporte.",
    }),
    mail: true,
  }),
}

const refundTitles = {
  seller: "Estorno feito",
  admin: "Pagamento estornado pelo suporte",
  bank: "Pagamento estornado pelo banco",
} as const satisfies Record<RefundOrigin, string>

function toTransaction(chargeId: string) {
  return { label: "Ver a transação", path: `/transactions?transaction=${chargeId}` }
}

function toWithdrawal(withdrawalId: string) {
  return { label: "Ver o saque", path: `/withdrawals?withdrawal=${withdrawalId}` }
}

/** Notices about money that came, went back or leaves. */
export const moneyNotices = { ...withdrawalNotices, ...paymentNotices }
