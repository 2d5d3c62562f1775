import { apiKeyScopeLabels } from "@tilinta/contract/vocabulary/api-keys"
import type { Letter } from "#mail/mail-layout"
import type { AccountMailContent } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"

/** Mails about access to an account, or about its payout destination. */
export function writeAccountLetter(content: AccountMailContent, name: string, publicUrl: string): Letter {
  switch (content.kind) {
    case "reset_password":
      return {
        subject: "Redefinição de senha",
        name,
        paragraphs: ["Recebemos um pedido para redefinir a senha da sua conta. Escolha uma nova senha por este link:"],
        action: { label: "Redefinir senha", url: `${publicUrl}/reset-password/${content.token}` },
        note: "O link vale por 30 minutos e só pode ser usado uma vez. Se não foi você que pediu, ignore este e-mail: sua senha continua a mesma.",
      }
    case "invitation":
      return {
        subject: "Sua conta foi criada: defina a sua senha",
        name,
        paragraphs: ["Um administrador criou uma conta para você. Para entrar, defina a sua senha por este link:"],
        action: { label: "Definir senha", url: `${publicUrl}/reset-password/${content.token}` },
        note: "O link vale por 72 horas e só pode ser usado uma vez. Depois disso, peça um novo em “Esqueceu sua senha?”, na tela de login.",
      }
    case "password_changed":
      return {
        subject: "Sua senha foi alterada",
        name,
        paragraphs: [
          `A senha da sua conta foi alterada em ${momentText(content.changedAt)}. As outras sessões foram encerradas.`,
        ],
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
    case "bank_account_changed":
      return {
        subject: "Seus dados de recebimento foram alterados",
        name,
        paragraphs: [
          `Os dados bancários ou a chave Pix do seu perfil foram alterados em ${momentText(content.changedAt)}.`,
        ],
        facts: [
          ...content.changes.map(({ label, before, after }) => ({ label, value: `de ${before} para ${after}` })),
          ...(content.address === null ? [] : [{ label: "Endereço IP", value: content.address }]),
        ],
        action: { label: "Conferir meu perfil", url: `${publicUrl}/profile` },
        note: "Se não foi você, troque a sua senha agora mesmo e fale com o suporte.",
      }
    case "api_key_created":
      return {
        subject: "Uma chave de API foi criada na sua conta",
        name,
        paragraphs: ["Programas com esta chave agem em nome da sua conta, conforme as permissões que ela recebeu."],
        facts: [
          { label: "Nome", value: content.name },
          { label: "Chave", value: content.hint },
          { label: "Permissões", value: content.scopes.map((scope) => apiKeyScopeLabels[scope]).join("; ") },
          { label: "Data", value: momentText(content.createdAt) },
          { label: "Endereço IP", value: content.address },
        ],
        action: { label: "Ver minhas chaves", url: `${publicUrl}/developers` },
        note: "Se não foi você, revogue a chave e troque a sua senha agora mesmo: trocar a senha não revoga as chaves.",
      }
  }
}
