import { noticePage } from "./notice-page.ts"

interface Page {
  platformName: string
  state: "asks" | "ended" | "unknown"
  nonce: string
}

const words = {
  asks: {
    title: "Parar os e-mails de pagamento?",
    text: "Você deixa de receber o aviso de cada pagamento e o resumo do dia. Os avisos sobre saques e segurança continuam.",
  },
  ended: {
    title: "Pronto, os e-mails de pagamento pararam",
    text: "Os avisos sobre saques e segurança continuam. Para voltar a receber, escolha em Meu Perfil.",
  },
  unknown: {
    title: "Este link não vale mais",
    text: "Abra o link do e-mail mais recente, ou escolha os seus e-mails em Meu Perfil.",
  },
} as const

/** Needs no script and no session. */
export function unsubscribePage({ platformName, state, nonce }: Page): string {
  const { title, text } = words[state]
  const form = '<form method="post"><button type="submit">Parar os e-mails</button></form>'
  const html = `<p>${text}</p>\n${state === "asks" ? form : '<p><a class="link" href="/profile">Abrir Meu Perfil</a></p>'}`
  return noticePage({ platformName, title, html, nonce })
}
