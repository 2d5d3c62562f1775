import { apiKeyScopeLabels } from "@tilinta/contract/vocabulary/api"
import { webhookProblemLabels } from "@tilinta/contract/vocabulary/events"
import { secondFactorLabels } from "@tilinta/contract/vocabulary/people"
import { INVITATION_DAYS } from "@tilinta/contract/vocabulary/team"
import { shopRoleHints, shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import type { Letter } from "#mail/mailer"
import { type AccountMailContent, type MailContent, momentText, whenceFacts } from "./mail-content.ts"

type FactorContent = Extract<AccountMailContent, { kind: "second_factor_changed" }>
type FactorChange = FactorContent["change"]

const factorSubjects: Record<FactorChange, string> = {
  added: "Um segundo fator foi ativado na sua conta",
  removed: "Um segundo fator da sua conta foi desativado",
  recovery_used: "Um código de recuperação da sua conta foi usado",
  recovery_renewed: "Os códigos de recuperação da sua conta foram trocados",
}

const factorSentences: Record<FactorChange, (factor: string) => string> = {
  added: (factor) => `A partir de agora a sua conta também pede: ${factor}. As outras sessões foram encerradas.`,
  removed: (factor) => `A sua conta não pede mais: ${factor}. As outras sessões foram encerradas.`,
  recovery_used: () => "Cada código de recuperação vale uma vez: risque este da sua lista.",
  recovery_renewed: () => "Os códigos antigos não valem mais.",
}

/** Mails about access to an account, or about its payout destination. */
export function writeAccountLetter(content: AccountMailContent, name: string, publicUrl: string): Letter {
  switch (content.kind) {
    case "reset_password":
      return {
        subject: "Redefinição de senha",
        name,
        paragraphs: ["Recebemos um pedido para redefinir a senha da sua conta. Escolha uma nova senha por este link:"],
        facts: whenceFacts(content),
        action: { label: "Redefinir senha", url: `${publicUrl}/reset-password/${content.token}` },
        note: `O link vale por ${content.minutes} minutos e só pode ser usado uma vez. Se não foi você que pediu, ignore este e-mail: sua senha continua a mesma.`,
      }
    case "invitation":
      return {
        subject: "Sua conta foi criada: defina a sua senha",
        name,
        paragraphs: ["Um administrador criou uma conta para você. Para entrar, defina a sua senha por este link:"],
        action: { label: "Definir senha", url: `${publicUrl}/reset-password/${content.token}` },
        note: "O link vale por 72 horas e só pode ser usado uma vez. Depois disso, peça um novo em “Esqueceu sua senha?”, na tela de login.",
      }
    case "team_invitation":
      return teamLetter(content, publicUrl)
    case "confirm_email":
      return confirmLetter(content, publicUrl)
    case "signup_repeated":
      return repeatedLetter(content, name, publicUrl)
    case "password_changed":
      return {
        subject: "Sua senha foi alterada",
        name,
        paragraphs: [
          `A senha da sua conta foi alterada em ${momentText(content.changedAt)}. As outras sessões foram encerradas.`,
        ],
        facts: whenceFacts(content),
        note: "Se não foi você, redefina a senha agora mesmo pela tela de login e fale com o suporte.",
      }
    case "email_changed":
      return {
        subject: "O e-mail da sua conta foi alterado",
        name,
        paragraphs: [
          `Um administrador alterou o e-mail da sua conta em ${momentText(content.changedAt)}. Este endereço não serve mais para entrar.`,
        ],
        note: "Se você não esperava por isso, fale com o suporte.",
      }
    case "new_email":
      return newEmailLetter(content.token, name, publicUrl)
    case "bank_account_changed":
      return {
        subject: "Seus dados de recebimento foram alterados",
        name,
        paragraphs: [
          `Os dados bancários ou a chave Pix do seu perfil foram alterados em ${momentText(content.changedAt)}.`,
        ],
        facts: [
          ...content.changes.map(({ label, before, after }) => ({ label, value: `de ${before} para ${after}` })),
          ...whenceFacts(content),
        ],
        action: { label: "Conferir meu perfil", url: `${publicUrl}/profile` },
        note: "Se não foi você, troque a sua senha agora mesmo e fale com o suporte.",
      }
    case "second_factor_changed":
      return factorLetter(content, name, publicUrl)
    case "api_key_created":
      return keyLetter(content, name, publicUrl)
  }
}

type ContentOf<Kind extends AccountMailContent["kind"]> = Extract<AccountMailContent, { kind: Kind }>

/** The name is left out, because the address may have no account. */
function teamLetter({ shop, inviter, role, token }: ContentOf<"team_invitation">, publicUrl: string): Letter {
  return {
    subject: `Convite para a equipe de ${shop}`,
    name: "",
    paragraphs: [
      `${inviter} convidou você para trabalhar em ${shop} como ${shopRoleLabels[role].toLowerCase()}. ${shopRoleHints[role]}`,
      "Para aceitar, entre ou cadastre-se com este mesmo e-mail:",
    ],
    action: { label: "Ver o convite", url: `${publicUrl}/convite/${token}` },
    note: `O link vale por ${INVITATION_DAYS} dias e uma vez. Se você não conhece esta loja, ignore este e-mail: nada acontece.`,
  }
}

/** The name is left out, because the person who signed up chose it, and may have given somebody else's address. */
function confirmLetter({ token }: ContentOf<"confirm_email">, publicUrl: string): Letter {
  return {
    subject: "Confirme o seu e-mail",
    name: "",
    paragraphs: [
      "Este endereço foi usado para criar uma conta. Confirme que ele é seu para que as páginas de cobrança da conta fiquem abertas aos pagadores:",
    ],
    action: { label: "Confirmar e-mail", url: `${publicUrl}/confirm-email/${token}` },
    note: "O link vale por 24 horas. Se não foi você que criou a conta, ignore este e-mail: sem a confirmação ela não cobra ninguém e você não recebe outros avisos.",
  }
}

function repeatedLetter(content: ContentOf<"signup_repeated">, name: string, publicUrl: string): Letter {
  return {
    subject: "Alguém tentou criar uma conta com o seu e-mail",
    name,
    paragraphs: [
      `Em ${momentText(content.attemptedAt)} alguém tentou se cadastrar com este e-mail, que já tem uma conta. Nada mudou na sua conta.`,
    ],
    facts: [{ label: "Endereço IP", value: content.address }],
    action: { label: "Entrar na minha conta", url: `${publicUrl}/login` },
    note: "Se foi você, entre com a sua senha, ou peça uma nova em “Esqueceu sua senha?”. Se não foi, não é preciso fazer nada.",
  }
}

function keyLetter(content: ContentOf<"api_key_created">, name: string, publicUrl: string): Letter {
  return {
    subject: "Uma chave de API foi criada na sua conta",
    name,
    paragraphs: ["Programas com esta chave agem em nome da sua conta, conforme as permissões que ela recebeu."],
    facts: [
      { label: "Nome", value: content.name },
      { label: "Chave", value: content.hint },
      { label: "Permissões", value: content.scopes.map((scope) => apiKeyScopeLabels[scope]).join("; ") },
      { label: "Data", value: momentText(content.createdAt) },
      ...whenceFacts(content),
    ],
    action: { label: "Ver minhas chaves", url: `${publicUrl}/developers` },
    note: "Se não foi você, revogue a chave e troque a sua senha agora mesmo: trocar a senha não revoga as chaves.",
  }
}

function newEmailLetter(token: string, name: string, publicUrl: string): Letter {
  return {
    subject: "Confirme o seu novo e-mail",
    name,
    paragraphs: [
      "Administradores informaram este endereço como o novo e-mail da sua conta. Ele só vale depois de confirmado:",
    ],
    action: { label: "Confirmar e-mail", url: `${publicUrl}/new-email/${token}` },
    note: "O link vale por 72 horas. Se você não pediu esta troca, não confirme e fale com o suporte.",
  }
}

function factorLetter(content: FactorContent, name: string, publicUrl: string): Letter {
  return {
    subject: factorSubjects[content.change],
    name,
    paragraphs: [factorSentences[content.change](secondFactorLabels[content.factor])],
    facts: [
      ...(content.name === "" ? [] : [{ label: "Nome", value: content.name }]),
      { label: "Data", value: momentText(content.changedAt) },
      ...whenceFacts(content),
    ],
    action: { label: "Ver a segurança da conta", url: `${publicUrl}/profile/security` },
    note: "Se não foi você, troque a sua senha agora mesmo e fale com o suporte.",
  }
}

type Address = Extract<MailContent, { kind: "webhook_address" }>
type Failing = Extract<MailContent, { kind: "webhook_failing" }>

export function writeWebhookLetter(content: Address | Failing, name: string, publicUrl: string): Letter {
  return content.kind === "webhook_address"
    ? addressLetter(content, name, publicUrl)
    : failingLetter(content, name, publicUrl)
}

function addressLetter({ url, formerUrl, changedAt, ...whence }: Address, name: string, publicUrl: string): Letter {
  return {
    subject: formerUrl === null ? "Um webhook foi cadastrado na sua conta" : "Um webhook mudou de endereço",
    name,
    paragraphs: [
      "Este endereço passa a receber os eventos da sua conta: cobranças, pagamentos e saques, com os dados dos pagadores.",
    ],
    facts: [
      { label: "Endereço", value: url },
      ...(formerUrl === null ? [] : [{ label: "Endereço anterior", value: formerUrl }]),
      { label: "Data", value: momentText(changedAt) },
      ...whenceFacts(whence),
    ],
    action: { label: "Ver meus webhooks", url: `${publicUrl}/developers/webhooks` },
    note: "Se não foi você, exclua o webhook, revogue as chaves de API que não conhece e troque a sua senha agora mesmo.",
  }
}

function failingLetter({ url, since, problem }: Failing, name: string, publicUrl: string): Letter {
  const isGone = problem === "gone"
  return {
    subject: isGone ? "Um dos seus webhooks foi pausado" : "Um dos seus webhooks não está respondendo",
    name,
    paragraphs: [
      isGone
        ? "Este endereço respondeu que não existe mais (status 410), e por isso paramos de enviar eventos para ele. Nada se perde: troque o endereço, ou use “Confirmar de novo” quando ele voltar, e o que faltar é enviado."
        : "Há mais de uma hora nenhum evento chega a este endereço. Nada se perde: tentamos de novo por cinco dias, e tudo o que faltar é enviado quando ele voltar a responder.",
    ],
    facts: [
      { label: "Endereço", value: url },
      { label: "Desde", value: momentText(since) },
      { label: "Última falha", value: webhookProblemLabels[problem] },
    ],
    action: { label: "Ver as entregas", url: `${publicUrl}/developers/webhooks` },
  }
}
