import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import type { MailContent, WithdrawalStep } from "#domain/platform/mails/mail-content"
import { momentText } from "#domain/platform/mails/moment-text"
import { noticeKind } from "./notice-kind.ts"

type Mailed<Kind extends MailContent["kind"]> = Omit<Extract<MailContent, { kind: Kind }>, "kind">

const withdrawals = { label: "Ver meus saques", path: "/withdrawals" }
const notYou = "Se não foi você que pediu, troque a sua senha e fale com o suporte agora mesmo."

const stepTitles: Record<WithdrawalStep, string> = {
  requested: "Saque solicitado",
  approved: "Saque aprovado",
  completed: "Saque pago",
  rejected: "Saque recusado",
}

/** Notices about money that leaves. */
export const moneyNotices = {
  withdrawal_step: noticeKind<Mailed<"withdrawal_step">>({
    tone: "info",
    write: ({ step, amountCents, destination, happenedAt, note }) => ({
      title: `${stepTitles[step]}: ${reaisText(amountCents)}`,
      text: `${destination}, em ${momentText(happenedAt)}.`,
      facts: note === "" ? [] : [{ label: step === "rejected" ? "Motivo" : "Observação", value: note }],
      action: withdrawals,
      ...(step !== "rejected" && { note: notYou }),
    }),
    mail: (facts) => ({ kind: "withdrawal_step", ...facts }),
  }),
  withdrawal_returned: noticeKind<Mailed<"withdrawal_returned">>({
    tone: "info",
    write: ({ returnedCents, reason, returnedAt }) => ({
      title: `Saque devolvido ao seu saldo: ${reaisText(returnedCents)}`,
      text: `O valor está de novo no seu saldo desde ${momentText(returnedAt)}.`,
      facts: [{ label: "Motivo", value: reason }],
      action: withdrawals,
    }),
    mail: (facts) => ({ kind: "withdrawal_returned", ...facts }),
  }),
  withdrawal_held: noticeKind<{ amountCents: Cents; destination: string; heldUntil: string | null; reasons: string[] }>(
    {
      tone: "info",
      write: ({ amountCents, destination, heldUntil, reasons }) => ({
        title: `Saque em espera: ${reaisText(amountCents)}`,
        text: `${destination}. ${heldUntil === null ? "O saque espera a análise de uma pessoa." : `O saque pode ser aprovado a partir de ${momentText(heldUntil)}.`}`,
        facts: reasons.map((value) => ({ label: "Por quê", value })),
        action: withdrawals,
        note: notYou,
      }),
      mail: true,
    },
  ),
  destination_added: noticeKind<{
    destination: string
    amountCents: Cents
    addedAt: string
    heldUntil: string | null
    address: string | null
    device: string | null
  }>({
    tone: "warning",
    write: ({ destination, amountCents, addedAt, heldUntil, address, device }) => ({
      title: "Um destino novo para os seus saques",
      text: `Foi pedido um saque para um destino que nunca tinha sido usado, em ${momentText(addedAt)}.${heldUntil === null ? "" : ` Por segurança, ele espera até ${momentText(heldUntil)}.`}`,
      facts: [
        { label: "Destino", value: destination },
        { label: "Valor", value: reaisText(amountCents) },
        ...(device === null ? [] : [{ label: "Aparelho", value: device }]),
        ...(address === null ? [] : [{ label: "Endereço IP", value: address }]),
      ],
      action: withdrawals,
      note: notYou,
    }),
    mail: true,
  }),
  balance_corrected: noticeKind<{ isCredit: boolean; amountCents: Cents; reason: string; correctedAt: string }>({
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
