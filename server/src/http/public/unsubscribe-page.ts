import { escapeHtml } from "#kit/escape-html"

interface Page {
  platformName: string
  state: "asks" | "ended" | "unknown"
  nonce: string
}

const style = `
  :root { color-scheme: dark }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem; background: #0b1214; color: #eef4f3; font: 400 1rem/1.5 system-ui, sans-serif }
  main { width: 100%; max-width: 28rem; padding: 2rem 1.5rem; border: 1px solid #27343a; border-radius: .75rem; background: #121b1e }
  p { margin: 0 0 1rem; color: #bccac9 }
  h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3 }
  button { width: 100%; font: inherit; min-height: 2.75rem; border: 0; border-radius: .5rem; background: #5fe0bb; color: #08201b; font-weight: 600; cursor: pointer }
  a { color: #5fe0bb; display: inline-block; padding: .625rem 0 }
  :focus-visible { outline: 2px solid #5fe0bb; outline-offset: 3px }
`

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
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(`${title} · ${platformName}`)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<p>${escapeHtml(platformName)}</p>
<h1>${title}</h1>
<p>${text}</p>
${state === "asks" ? '<form method="post"><button type="submit">Parar os e-mails</button></form>' : '<a href="/profile">Abrir Meu Perfil</a>'}
</main>
</body>
</html>
`
}
