import { reaisText } from "#kit/money"
import type { Letter } from "#mail/mail-layout"
import type { MailContent } from "./mail-content.ts"

const inSaoPaulo = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "short",
  timeZone: "America/Sao_Paulo",
})

/** What each kind of mail says. Links lead to our own public address and nowhere else. */
export function writeLetter(content: MailContent, name: string, publicUrl: string): Letter {
  switch (content.kind) {
    case "reset_password":
      return {
        subject: "Redefinição de senha",
        name,
        paragraphs: ["Recebemos um pedido para redefinir a senha da sua conta. Escolha uma nova senha por este link:"],
        action: { label: "Redefinir senha", url: `${publicUrl}/reset-password/${content.token}` },
        note: "O link vale por 30 minutos e só pode ser usado uma vez. Se não foi você que pediu, ignore este e-mail: sua senha continua a mesma.",
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
    case "bank_account_changed":
      return {
        subject: "Seus dados de recebimento foram alterados",
        name,
        paragraphs: [
          `Os dados bancários ou a chave Pix do seu perfil foram alterados em ${momentText(content.changedAt)}.`,
        ],
        action: { label: "Conferir meu perfil", url: `${publicUrl}/profile` },
        note: "Se não foi você, troque a sua senha agora mesmo e fale com o suporte.",
      }
    case "payment_received":
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
    case "payment_refunded":
      return refundLetter(content, name, publicUrl)
    case "withdrawal_requested":
      return {
        subject: `Saque solicitado: ${reaisText(content.amountCents)}`,
        name,
        paragraphs: ["Um vendedor solicitou um saque, que espera a sua análise."],
        facts: [
          { label: "Vendedor", value: content.sellerName },
          { label: "Valor", value: reaisText(content.amountCents) },
          { label: "Método", value: content.method === "pix" ? "PIX" : "Transferência bancária" },
          { label: "Data", value: momentText(content.requestedAt) },
        ],
        action: { label: "Analisar saques", url: `${publicUrl}/admin/withdrawals` },
      }
  }
}

type Refunded = Extract<MailContent, { kind: "payment_refunded" }>

function refundLetter(content: Refunded, name: string, publicUrl: string): Letter {
  return {
    subject: `Pagamento devolvido: ${reaisText(content.amountCents)}`,
    name,
    paragraphs: [
      content.origin === "bank"
        ? "O banco devolveu ao pagador um pagamento que você recebeu por Pix, e o valor saiu do seu saldo."
        : "O suporte devolveu ao pagador um pagamento que você recebeu por Pix, e o valor saiu do seu saldo.",
    ],
    facts: [
      { label: "Cobrança", value: content.pageTitle },
      { label: "Data", value: momentText(content.refundedAt) },
      { label: "Valor devolvido", value: reaisText(content.amountCents) },
      { label: "Saiu do seu saldo", value: reaisText(content.takenCents) },
      ...(content.reason === "" ? [] : [{ label: "Motivo", value: content.reason }]),
    ],
    action: { label: "Ver transações", url: `${publicUrl}/transactions` },
  }
}

function momentText(iso: string): string {
  return inSaoPaulo.format(new Date(iso)).replace(",", " às")
}
