import { customerLabels } from "@tilinta/contract/vocabulary/customers"
import { payerFieldLabels, type SentField } from "@tilinta/contract/vocabulary/payer-data"
import { secondFactorLabels } from "@tilinta/contract/vocabulary/people"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import { shopRoleHints, shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import {
  type AccountMailContent,
  type FreezeFacts,
  freezeFacts,
  type MailContent,
  momentText,
  noticeKind,
  type Whence,
  whenceFacts,
} from "./mail-content.ts"

type Mailed<Kind extends MailContent["kind"]> = Omit<Extract<MailContent, { kind: Kind }>, "kind">

const security = { label: "Ver a segurança da conta", path: "/profile/security" }
const profile = { label: "Conferir meu perfil", path: "/profile" }
const developers = { label: "Ver minhas integrações", path: "/developers" }
const changePassword = "Se não foi você, troque a sua senha agora mesmo e fale com o suporte."

const factorTitles: Record<Extract<AccountMailContent, { kind: "second_factor_changed" }>["change"], string> = {
  added: "Segundo fator ativado",
  removed: "Segundo fator desativado",
  recovery_used: "Código de recuperação usado",
  recovery_renewed: "Códigos de recuperação trocados",
}

const teamTitles = {
  invited: (who: string, role: string) => `${who} foi convidado para a sua loja como ${role}`,
  joined: (who: string, role: string) => `${who} entrou na equipe da sua loja como ${role}`,
  raised: (who: string, role: string) => `${who} agora é ${role} na sua loja`,
  left: (who: string, role: string) => `${who}, ${role}, saiu da equipe da sua loja`,
  removed: (who: string, role: string) => `${who}, ${role}, foi removido da equipe da sua loja`,
}
const keysGoOn =
  "As chaves de API e os segredos dos webhooks da loja continuam valendo: revogue os que a pessoa conhece."

const payerDataTitles = {
  corrected: "Um pagador corrigiu os dados dele",
  erased: "Um pagador apagou os dados dele",
  erasure_asked: "Um pagador pediu que apaguemos os dados dele",
}
const customerDataTitles = {
  corrected: "Um cliente corrigiu os dados dele",
  erased: "Um cliente apagou os dados dele",
  erasure_asked: "Um cliente pediu que apaguemos os dados dele",
}
const payerDataTexts = {
  corrected: "corrigiu os próprios dados",
  erased: "apagou os próprios dados",
  erasure_asked: "pediu que apaguemos os próprios dados, o que espera o fim do que está em aberto,",
}

/** Notices about access to an account, and about its data. */
export const accountNotices = {
  new_device: noticeKind<Whence & { at: string }>({
    topic: "security",
    tone: "warning",
    write: ({ at, ...whence }) => ({
      title: "Entrada na sua conta por um aparelho novo",
      text: `Alguém entrou na sua conta em ${momentText(at)} por um aparelho que ela não conhecia.`,
      facts: whenceFacts(whence),
      action: security,
      ifNotYou: "Se não foi você, troque a sua senha agora mesmo e encerre as outras sessões.",
    }),
    mail: true,
  }),
  account_viewed: noticeKind<{ viewedAt: string; until: string }>({
    topic: "security",
    tone: "info",
    write: ({ viewedAt, until }) => ({
      title: "Um administrador viu o seu painel",
      text: `Em ${momentText(viewedAt)} um administrador abriu o seu painel para ver o que você vê. Até ${momentText(until)} ele pôde consultar, sem alterar nada nem baixar arquivos.`,
      action: profile,
      note: "Se você não pediu ajuda e não sabe por quê, fale com o suporte.",
    }),
    mail: false,
  }),
  failed_logins: noticeKind<Whence & { attempts: number; at: string }>({
    topic: "security",
    tone: "warning",
    write: ({ attempts, at, ...whence }) => ({
      title: `${attempts} tentativas de entrar na sua conta`,
      text: `Desde ontem houve ${attempts} tentativas de entrar na sua conta com senha ou código errado, a última em ${momentText(at)}. Nenhuma delas abriu a conta.`,
      facts: whenceFacts(whence),
      action: security,
      ifNotYou: "Se não foi você, ative um segundo fator e use uma senha que só esta conta tenha.",
    }),
    mail: true,
  }),
  password_changed: noticeKind<Mailed<"password_changed">>({
    topic: "security",
    tone: "warning",
    write: ({ changedAt, ...whence }) => ({
      title: "Sua senha foi alterada",
      text: `A senha da sua conta foi alterada em ${momentText(changedAt)}. As outras sessões foram encerradas.`,
      facts: whenceFacts(whence),
      action: security,
      ifNotYou: "Se não foi você, redefina a senha pela tela de login e fale com o suporte.",
    }),
    mail: (facts) => ({ kind: "password_changed", ...facts }),
  }),
  second_factor_changed: noticeKind<Mailed<"second_factor_changed">>({
    topic: "security",
    tone: "warning",
    write: ({ change, factor, name, changedAt, ...whence }) => ({
      title: factorTitles[change],
      text: `${secondFactorLabels[factor]}${name === "" ? "" : ` “${name}”`}, em ${momentText(changedAt)}.`,
      facts: whenceFacts(whence),
      action: security,
      ifNotYou: changePassword,
    }),
    mail: (facts) => ({ kind: "second_factor_changed", ...facts }),
  }),
  email_changed: noticeKind<Mailed<"email_changed">>({
    topic: "security",
    tone: "warning",
    write: ({ changedAt }) => ({
      title: "O e-mail da sua conta foi alterado",
      text: `Um administrador alterou o e-mail da sua conta em ${momentText(changedAt)}.`,
      action: profile,
      ifNotYou: "Se você não esperava por isso, fale com o suporte.",
    }),
    mail: (facts) => ({ kind: "email_changed", ...facts }),
  }),
  email_change_asked: noticeKind<{ email: string; askedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ email, askedAt }) => ({
      title: "Pediram a troca do e-mail da sua conta",
      text: `Em ${momentText(askedAt)}, administradores informaram um novo e-mail para a sua conta. Ele só vale depois de confirmado por um link enviado ao novo endereço.`,
      facts: [{ label: "Novo e-mail", value: email }],
      action: profile,
      ifNotYou: "Se não foi você que pediu, fale com o suporte agora mesmo.",
    }),
    mail: true,
  }),
  bank_account_changed: noticeKind<Mailed<"bank_account_changed">>({
    topic: "security",
    tone: "warning",
    write: ({ changedAt, changes, ...whence }) => ({
      title: "Seus dados de recebimento foram alterados",
      text: `Os dados bancários ou a chave Pix do seu perfil foram alterados em ${momentText(changedAt)}.`,
      facts: [...changeFacts(changes), ...whenceFacts(whence)],
      action: profile,
      ifNotYou: changePassword,
    }),
    mail: (facts) => ({ kind: "bank_account_changed", ...facts }),
  }),
  account_changed: noticeKind<Whence & { byAdmin: boolean; changes: Change[]; changedAt: string }>({
    topic: "security",
    tone: "info",
    write: ({ byAdmin, changes, changedAt, ...whence }) => ({
      title: byAdmin ? "Um administrador alterou a sua conta" : "Os dados da sua conta foram alterados",
      text: `${byAdmin ? "Um administrador alterou" : "Foram alterados"} dados da sua conta em ${momentText(changedAt)}.`,
      facts: [...changeFacts(changes), ...(byAdmin ? [] : whenceFacts(whence))],
      action: profile,
      ifNotYou: byAdmin ? "Se você não esperava por isso, fale com o suporte." : changePassword,
    }),
    mail: true,
  }),
  account_frozen: noticeKind<FreezeFacts & { frozenAt: string; goneCount: number }>({
    topic: "security",
    tone: "warning",
    write: ({ frozenAt, goneCount, ...done }) => ({
      title: "Os saques da sua conta estão congelados",
      text: `Você avisou em ${momentText(frozenAt)} que não foi você. As sessões foram encerradas, a senha anterior não vale mais, e até a conta ser liberada ninguém saca, estorna, exporta nem altera nada.${goneCount === 0 ? "" : " Pelo menos um saque já tinha ido para pagamento: fale com o suporte agora mesmo."}`,
      facts: freezeFacts(done),
      action: { label: "Redefinir a senha", path: "/forgot-password" },
      note: "Redefina a sua senha por e-mail: segundos fatores que possam ser de outra pessoa são removidos. A conta volta quando você entrar com um segundo fator que já era seu, ou quando o suporte a liberar.",
    }),
    mail: true,
  }),
  account_unfrozen: noticeKind<{ byAdmin: boolean; endedAt: string; address: string | null }>({
    topic: "security",
    tone: "warning",
    write: ({ byAdmin, endedAt, address }) => ({
      title: "Os saques da sua conta foram liberados",
      text: byAdmin
        ? `O suporte liberou em ${momentText(endedAt)} os saques da sua conta, que estavam congelados.`
        : `Alguém entrou na sua conta em ${momentText(endedAt)} com o seu segundo fator, e os saques não estão mais congelados.`,
      facts: whenceFacts({ address }),
      action: { label: "Ver meus saques", path: "/withdrawals" },
    }),
    mail: true,
  }),
  push_subscription_added: noticeKind<Whence & { addedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ addedAt, ...whence }) => ({
      title: "Os avisos da sua conta chegam a mais um aparelho",
      text: `Foram ligados em ${momentText(addedAt)}. Mostram pagamentos e saques até alguém sair da conta naquele aparelho.`,
      facts: whenceFacts(whence),
      action: security,
      ifNotYou: changePassword,
    }),
    mail: true,
  }),
  data_exported: noticeKind<Whence & { exportedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ exportedAt, ...whence }) => ({
      title: "Os dados da sua conta foram exportados",
      text: `Alguém baixou em ${momentText(exportedAt)} um arquivo com tudo o que guardamos sobre a sua conta.`,
      facts: whenceFacts(whence),
      action: security,
      ifNotYou: changePassword,
    }),
    mail: true,
  }),
  payer_data_changed: noticeKind<{
    chargeId: string
    pageTitle: string
    change: "corrected" | "erased" | "erasure_asked"
    fields: SentField[]
    changedAt: string
  }>({
    topic: "activity",
    tone: "info",
    write: ({ chargeId, pageTitle, change, fields, changedAt }) => ({
      title: payerDataTitles[change],
      text: `Quem pagou “${pageTitle}” ${payerDataTexts[change]} em ${momentText(changedAt)}, pela página do comprovante.`,
      facts: [{ label: "Campos", value: fields.map((field) => payerFieldLabels[field]).join(", ") }],
      action: { label: "Ver a transação", path: `/transactions?transaction=${chargeId}` },
    }),
    mail: false,
  }),
  customer_data_changed: noticeKind<{
    customerId: string
    change: "corrected" | "erased" | "erasure_asked"
    fields: (keyof typeof customerLabels)[]
    changedAt: string
  }>({
    topic: "activity",
    tone: "info",
    write: ({ customerId, change, fields, changedAt }) => ({
      title: customerDataTitles[change],
      text: `Um cliente ${payerDataTexts[change]} em ${momentText(changedAt)}, pela página da cobrança.`,
      facts: [{ label: "Campos", value: fields.map((field) => customerLabels[field]).join(", ") }],
      action: { label: "Ver o cliente", path: change === "erased" ? "/customers" : `/customers/${customerId}` },
    }),
    mail: false,
  }),
  sessions_ended: noticeKind<{ count: number; endedAt: string }>({
    topic: "security",
    tone: "info",
    write: ({ count, endedAt }) => ({
      title: "Um administrador encerrou as suas sessões",
      text: `${count === 1 ? "1 sessão foi encerrada" : `${count} sessões foram encerradas`} em ${momentText(endedAt)}. Quem usava a sua conta precisa entrar de novo.`,
      action: security,
      ifNotYou: "Se você não pediu isso, fale com o suporte.",
    }),
    mail: true,
  }),
  reset_link_printed: noticeKind<{ email: string; removesFactors: boolean; printedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ email, removesFactors, printedAt }) => ({
      title: "Um link de nova senha foi criado na máquina do servidor",
      text: `Em ${momentText(printedAt)}, quem opera o servidor criou um link que dá uma nova senha a um administrador. As sessões dele foram encerradas${removesFactors ? ", e os segundos fatores foram removidos" : ""}.`,
      facts: [{ label: "Administrador", value: email }],
      action: security,
      note: "Se ninguém pediu isso, fale agora mesmo com quem opera o servidor.",
    }),
    mail: true,
  }),
  api_key_created: noticeKind<Mailed<"api_key_created">>({
    topic: "security",
    tone: "warning",
    write: ({ name, hint, createdAt, ...whence }) => ({
      title: "Uma chave de API foi criada na sua conta",
      text: `A chave “${name}” (${hint}) foi criada em ${momentText(createdAt)}.`,
      facts: whenceFacts(whence),
      action: { label: "Ver minhas chaves", path: "/developers" },
      ifNotYou: "Se não foi você, revogue a chave e troque a sua senha: trocar a senha não revoga as chaves.",
    }),
    mail: (facts) => ({ kind: "api_key_created", ...facts }),
  }),
  page_suspended: noticeKind<{ pageId: string; title: string; reason: string; happenedAt: string }>({
    topic: "activity",
    tone: "warning",
    write: ({ pageId, title, reason, happenedAt }) => ({
      title: `Sua página foi suspensa: ${title}`,
      text: `Um administrador suspendeu esta página de cobrança em ${momentText(happenedAt)}. Quem abre o link lê “Página suspensa”, e os códigos Pix abertos foram encerrados. O que já foi pago continua seu, e um pagamento que estava a caminho ainda é creditado.`,
      facts: [{ label: "Motivo", value: reason }],
      action: { label: "Ver a página", path: `/checkouts/${pageId}` },
      note: "Se foi um engano, fale com o suporte.",
    }),
    mail: true,
  }),
  page_unsuspended: noticeKind<{ pageId: string; title: string; happenedAt: string }>({
    topic: "activity",
    tone: "info",
    write: ({ pageId, title, happenedAt }) => ({
      title: `Sua página não está mais suspensa: ${title}`,
      text: `A suspensão foi retirada em ${momentText(happenedAt)}. Se a página ainda está ativa, o link volta a gerar códigos Pix; os códigos encerrados não voltam.`,
      action: { label: "Ver a página", path: `/checkouts/${pageId}` },
    }),
    mail: true,
  }),
  shop_changed: noticeKind<Whence & { changes: Change[]; changedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ changes, changedAt, ...whence }) => ({
      title: "Os dados da sua loja foram alterados",
      text: `Desde ${momentText(changedAt)}, quem paga vê outros dados da sua loja.`,
      facts: [
        ...changes.map(({ label, before, after }) => ({ label, value: `de ${before} para ${after}` })),
        ...whenceFacts(whence),
      ],
      action: { label: "Ver a minha loja", path: "/shop" },
      ifNotYou: changePassword,
    }),
    mail: true,
  }),
  team_changed: noticeKind<
    Whence & { change: keyof typeof teamTitles; who: string; role: ShopRole; changedAt: string }
  >({
    topic: "security",
    tone: "warning",
    write: ({ change, who, role, changedAt, ...whence }) => {
      const mayKnowKeys = role === "owner" && (change === "left" || change === "removed")
      return {
        title: teamTitles[change](who, shopRoleLabels[role].toLowerCase()),
        text: `Aconteceu em ${momentText(changedAt)}. ${mayKnowKeys ? keysGoOn : `${shopRoleLabels[role]}: ${shopRoleHints[role]}`}`,
        facts: whenceFacts(whence),
        action: mayKnowKeys ? developers : { label: "Ver a equipe", path: "/team" },
        ifNotYou: "Se você não esperava por isso, remova a pessoa da equipe e troque a sua senha agora mesmo.",
      }
    },
    mail: true,
  }),
  team_left: noticeKind<{ shop: string; leftAt: string }>({
    topic: "security",
    tone: "info",
    write: ({ shop, leftAt }) => ({
      title: `Você não está mais na equipe de ${shop}`,
      text: `Um dono da loja removeu você em ${momentText(leftAt)}. A sua conta continua sua.`,
      action: profile,
    }),
    mail: true,
  }),
  return_origins_changed: noticeKind<Whence & { before: string[]; after: string[]; changedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ before, after, changedAt, ...whence }) => ({
      title: "Os sites de retorno à loja foram alterados",
      text: `Mudou em ${momentText(changedAt)} a lista de sites a que os seus clientes podem voltar depois de pagar.`,
      facts: [
        { label: "Antes", value: before.join(", ") || "nenhum" },
        { label: "Agora", value: after.join(", ") || "nenhum" },
        ...whenceFacts(whence),
      ],
      action: developers,
      ifNotYou: changePassword,
    }),
    mail: true,
  }),
  signing_key_rotated: noticeKind<Whence & { webhookUrl: string | null; rotatedAt: string }>({
    topic: "security",
    tone: "warning",
    write: ({ webhookUrl, rotatedAt, ...whence }) => ({
      title:
        webhookUrl === null ? "A chave que assina o retorno à loja foi trocada" : "O segredo de um webhook foi trocado",
      text:
        webhookUrl === null
          ? `Desde ${momentText(rotatedAt)}, o retorno à loja é assinado com outra chave, e a anterior não vale mais.`
          : `Desde ${momentText(rotatedAt)}, os eventos são assinados também com outro segredo. O anterior assina junto por 24 horas.`,
      facts: [...(webhookUrl === null ? [] : [{ label: "Endereço", value: webhookUrl }]), ...whenceFacts(whence)],
      action: developers,
      ifNotYou: changePassword,
    }),
    mail: true,
  }),
  webhook_address: noticeKind<Mailed<"webhook_address">>({
    topic: "security",
    tone: "warning",
    write: ({ url, formerUrl, changedAt, ...whence }) => ({
      title: formerUrl === null ? "Um webhook foi cadastrado na sua conta" : "O endereço de um webhook foi alterado",
      text: `${url} recebe os eventos da sua conta desde ${momentText(changedAt)}.`,
      facts: whenceFacts(whence),
      action: { label: "Ver meus webhooks", path: "/developers/webhooks" },
      ifNotYou: changePassword,
    }),
    mail: (facts) => ({ kind: "webhook_address", ...facts }),
  }),
}

interface Change {
  label: string
  /** Masked where it is personal. */
  before: string
  after: string
}

function changeFacts(changes: Change[]) {
  return changes.map(({ label, before, after }) => ({ label, value: `de ${before} para ${after}` }))
}
