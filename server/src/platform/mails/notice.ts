import { type ManualEntryKind, manualEntryLabels } from "@tilinta/contract/vocabulary/books"
import type { NoticeTopic } from "@tilinta/contract/vocabulary/mails"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { type SecondApprovalAct, secondApprovalLabels } from "@tilinta/contract/vocabulary/people"
import { accountNotices } from "./account-notices.ts"
import { type MailContent, momentText, type NoticeKind, type NoticeText, noticeKind } from "./mail-content.ts"
import { moneyNotices } from "./money-notices.ts"

/** Notices for administrators. */
const adminNotices = {
  approval_waits: noticeKind<{
    act: SecondApprovalAct
    /** A person's name, or a setting's key. */
    subjectName: string
    askedBy: string
    askedAt: string
    expiresAt: string
  }>({
    topic: "activity",
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
    topic: "activity",
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
    topic: "activity",
    tone: "info",
    write: ({ withdrawalId, sellerName, amountCents, reasons }) => ({
      title: `Saque em espera: ${reaisText(amountCents)}`,
      text: `O saque de ${sellerName} não pode ser aprovado ainda.`,
      facts: reasons.map((value) => ({ label: "Por quê", value })),
      action: { label: "Analisar o saque", path: `/admin/withdrawals?withdrawal=${withdrawalId}` },
    }),
    mail: true,
  }),
  order_refused: noticeKind<{ what: string; id: string; refusedAt: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ what, id, refusedAt }) => ({
      title: `Dinheiro parado: ${what.toLowerCase()} não é como foi registrado`,
      text: `Em ${momentText(refusedAt)} a plataforma recusou algo que só está no banco de dados: ninguém o pediu ou aprovou aqui assim. Nada foi pago, e nada se perdeu.`,
      facts: [
        { label: "O quê", value: what },
        { label: "Identificador", value: id },
      ],
      action: { label: "Ver a auditoria", path: "/admin/audit" },
      note: "Alguém escreveu no banco de dados, ou a chave de segredos (SECRETS_KEY) é outra. Não pague por outro caminho e fale com quem opera a plataforma.",
    }),
    mail: true,
  }),
  access_refused: noticeKind<{ what: string; id: string; refusedAt: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ what, id, refusedAt }) => ({
      title: `Acesso recusado: ${what.toLowerCase()} não confere`,
      text: `Em ${momentText(refusedAt)} a plataforma recusou um acesso que só está no banco de dados: ninguém entrou aqui assim. Nada foi feito com ele.`,
      facts: [
        { label: "O quê", value: what },
        { label: "Identificador", value: id },
      ],
      action: { label: "Ver a auditoria", path: "/admin/audit" },
      note: "Alguém escreveu no banco de dados, ou a chave de segredos (SECRETS_KEY) é outra. Fale com quem opera a plataforma.",
    }),
    mail: true,
  }),
  limit_reached: noticeKind<{ whose: string; limitCents: Cents; reachedAt: string }>({
    topic: "activity",
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
    topic: "activity",
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
      ifNotYou: "Se ninguém combinou isso com você, fale com os outros administradores.",
    }),
    mail: true,
  }),
  page_reported: noticeKind<{ title: string; sellerName: string; reason: string }>({
    topic: "activity",
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
    topic: "activity",
    tone: "warning",
    write: ({ isSuspended, title, sellerName, decidedBy, happenedAt }) => ({
      title: `${isSuspended ? "Página suspensa" : "Suspensão retirada"}: ${title}`,
      text: `${decidedBy} ${isSuspended ? "suspendeu" : "voltou a abrir"} esta página de ${sellerName} em ${momentText(happenedAt)}.`,
      action: { label: "Ver as denúncias", path: "/admin/page-reports?status=all" },
    }),
    mail: true,
  }),
  setting_changed: noticeKind<{ key: string; before: string; after: string; changedBy: string; changedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ key, before, after, changedBy, changedAt }) => ({
      title: `Configuração alterada: ${key}`,
      text: `${changedBy} alterou esta configuração em ${momentText(changedAt)}.`,
      facts: [
        { label: "Antes", value: before },
        { label: "Agora", value: after },
      ],
      action: { label: "Ver as configurações", path: "/admin/settings" },
      ifNotYou: "Se ninguém combinou isso com você, fale com os outros administradores.",
    }),
    mail: true,
  }),
}

function entryTitle(isBooked: boolean, isRefused: boolean): string {
  if (isBooked) return "Lançamento feito"
  return isRefused ? "Lançamento recusado" : "Espera a sua aprovação"
}

/** All kinds: an entry in one of these lists is all that a new one needs. */
const noticeKinds = { ...accountNotices, ...moneyNotices, ...adminNotices }

type Kinds = typeof noticeKinds
type FactsOf<Kind extends keyof Kinds> = Kinds[Kind] extends NoticeKind<infer Facts> ? Facts : never

/** A kind with its facts, as it is stored. Notices of a seller's own shop have no `inShop`. */
export type Notice = { [Kind in keyof Kinds]: { kind: Kind; inShop?: NoticeShop } & FactsOf<Kind> }[keyof Kinds]

interface NoticeShop {
  id: string
  name: string
}

export interface WrittenNotice extends Omit<NoticeText, "ifNotYou"> {
  topic: NoticeTopic
  tone: "info" | "warning"
}

export function writeNotice({ kind, inShop, ...facts }: Notice, readerId: string): WrittenNotice {
  const { topic, tone, write } = noticeKinds[kind] as NoticeKind<object>
  const { ifNotYou: _, ...text } = write(facts)
  return { topic, tone, ...namingShop(inShop ?? { id: readerId, name: "" }, text) }
}

/** The person's own screens, and the administrators', are the same in every shop. */
const ofNoShop = /^\/(admin|forgot-password|profile)\b/

/** The reader may work for several shops: the text names another's, and the path leads to its screen. */
function namingShop({ id, name }: NoticeShop, written: NoticeText): NoticeText {
  const { label, path } = written.action
  const text = name === "" ? written.text : `${name} · ${written.text}`
  if (ofNoShop.test(path)) return { ...written, text }
  return { ...written, text, action: { label, path: `${path}${path.includes("?") ? "&" : "?"}shop=${id}` } }
}

export function topicOf({ kind }: Pick<Notice, "kind">): NoticeTopic {
  return noticeKinds[kind].topic
}

/** Null where the list alone tells. */
export function mailOfNotice({ kind, inShop, ...facts }: Notice): MailContent | null {
  const { write, mail } = noticeKinds[kind] as NoticeKind<object>
  if (typeof mail === "function") return mail(facts)
  if (!mail) return null
  const written = inShop === undefined ? write(facts) : namingShop(inShop, write(facts))
  const { title: subject, text, facts: listed = [], action, note = "", ifNotYou = note } = written
  return { kind: "notice", subject, text, facts: listed, action, note: ifNotYou }
}
