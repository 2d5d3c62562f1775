import { type ManualEntryKind, manualEntryLabels } from "@tilinta/contract/vocabulary/manual-entries"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { type SecondApprovalAct, secondApprovalLabels } from "@tilinta/contract/vocabulary/second-approvals"
import { momentText } from "#domain/platform/mails/moment-text"
import { noticeKind } from "./notice-kind.ts"

/** Notices for administrators. */
export const adminNotices = {
  approval_waits: noticeKind<{
    act: SecondApprovalAct
    /** A person's name, or a setting's key. */
    subjectName: string
    askedBy: string
    askedAt: string
    expiresAt: string
  }>({
    tone: "warning",
    write: ({ act, subjectName, askedBy, askedAt, expiresAt }) => ({
      title: `Espera a sua aprovação: ${secondApprovalLabels[act].toLowerCase()}`,
      text: `${askedBy} pediu em ${momentText(askedAt)} algo que só vale quando outro administrador também aprovar.`,
      facts: [
        { label: "Sobre", value: subjectName },
        { label: "Vence em", value: momentText(expiresAt) },
      ],
      action: { label: "Ver aprovações", path: "/admin/approvals" },
      note: "Confira com quem pediu, por um meio que você já conhece, antes de aprovar.",
    }),
    mail: true,
  }),
  withdrawals_frozen: noticeKind<{ userId: string; sellerName: string; frozenAt: string; reason: string }>({
    tone: "warning",
    write: ({ userId, sellerName, frozenAt, reason }) => ({
      title: `Saques congelados: ${sellerName}`,
      text: `Os saques deste vendedor estão parados desde ${momentText(frozenAt)}.`,
      facts: [{ label: "Motivo", value: reason }],
      action: { label: "Ver o usuário", path: `/admin/users?user=${userId}` },
    }),
    mail: true,
  }),
  withdrawal_to_check: noticeKind<{ withdrawalId: string; sellerName: string; amountCents: Cents; reasons: string[] }>({
    tone: "info",
    write: ({ withdrawalId, sellerName, amountCents, reasons }) => ({
      title: `Saque em espera: ${reaisText(amountCents)}`,
      text: `O saque de ${sellerName} não pode ser aprovado ainda.`,
      facts: reasons.map((value) => ({ label: "Por quê", value })),
      action: { label: "Analisar o saque", path: `/admin/withdrawals?withdrawal=${withdrawalId}` },
    }),
    mail: true,
  }),
  limit_reached: noticeKind<{ whose: string; limitCents: Cents; reachedAt: string }>({
    tone: "warning",
    write: ({ whose, limitCents, reachedAt }) => ({
      title: `Limite diário de saques atingido: ${whose}`,
      text: `Os saques acima de ${reaisText(limitCents)} por dia esperam uma pessoa desde ${momentText(reachedAt)}.`,
      action: { label: "Analisar saques", path: "/admin/withdrawals" },
    }),
    mail: true,
  }),
  manual_entry: noticeKind<{
    isBooked: boolean
    /** It waited, and nothing was booked; absent in notices from before. */
    isRefused?: boolean
    entry: ManualEntryKind
    amountCents: Cents
    reason: string
    by: string
    happenedAt: string
  }>({
    tone: "warning",
    write: ({ isBooked, isRefused = false, entry, amountCents, reason, by, happenedAt }) => ({
      title: `${entryTitle(isBooked, isRefused)}: ${manualEntryLabels[entry].toLowerCase()}, ${reaisText(amountCents)}`,
      text: isBooked
        ? `${by} lançou isto nos livros em ${momentText(happenedAt)}.`
        : isRefused
          ? `${by} encerrou este lançamento em ${momentText(happenedAt)}: nada foi lançado.`
          : `${by} propôs este lançamento em ${momentText(happenedAt)}; ele só vale quando outro administrador aprovar.`,
      facts: [{ label: "Motivo", value: reason }],
      action: { label: "Ver os lançamentos", path: "/admin/journal" },
      note: "Se ninguém combinou isso com você, fale com os outros administradores.",
    }),
    mail: true,
  }),
  page_reported: noticeKind<{ title: string; sellerName: string; reason: string }>({
    tone: "info",
    write: ({ title, sellerName, reason }) => ({
      title: `Página denunciada: ${title}`,
      text: `Um pagador denunciou esta página de ${sellerName}. Ela continua aberta até alguém decidir.`,
      facts: [{ label: "Motivo", value: reason }],
      action: { label: "Ver as denúncias", path: "/admin/page-reports" },
    }),
    // Strangers report, so that nobody is mailed because of them.
    mail: false,
  }),
  page_suspension: noticeKind<{
    isSuspended: boolean
    title: string
    sellerName: string
    decidedBy: string
    happenedAt: string
  }>({
    tone: "warning",
    write: ({ isSuspended, title, sellerName, decidedBy, happenedAt }) => ({
      title: `${isSuspended ? "Página suspensa" : "Suspensão retirada"}: ${title}`,
      text: `${decidedBy} ${isSuspended ? "suspendeu" : "voltou a abrir"} esta página de ${sellerName} em ${momentText(happenedAt)}.`,
      action: { label: "Ver as denúncias", path: "/admin/page-reports?status=all" },
    }),
    mail: true,
  }),
  setting_changed: noticeKind<{ key: string; before: string; after: string; changedBy: string; changedAt: string }>({
    tone: "warning",
    write: ({ key, before, after, changedBy, changedAt }) => ({
      title: `Configuração alterada: ${key}`,
      text: `${changedBy} alterou esta configuração em ${momentText(changedAt)}.`,
      facts: [
        { label: "Antes", value: before },
        { label: "Agora", value: after },
      ],
      action: { label: "Ver as configurações", path: "/admin/settings" },
      note: "Se ninguém combinou isso com você, fale com os outros administradores.",
    }),
    mail: true,
  }),
}

function entryTitle(isBooked: boolean, isRefused: boolean): string {
  if (isBooked) return "Lançamento feito"
  return isRefused ? "Lançamento recusado" : "Espera a sua aprovação"
}
