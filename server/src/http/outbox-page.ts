import { escapeHtml } from "#kit/html"
import type { OutboxMail } from "#mail/outbox"

interface Page {
  mails: OutboxMail[]
  next: string | null
  isFirst: boolean
  to: string | null
  nonce: string
  publicUrl: string
}

const inSaoPaulo = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
})

const style = `
  :root { color-scheme: dark }
  * { box-sizing: border-box }
  body { margin: 0; background: #0b1214; color: #eef4f3; font: 400 1rem/1.5 system-ui, sans-serif }
  .notice { padding: .5rem 1rem; background: #33260f; color: #f4c86a; text-align: center; font-weight: 600 }
  main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
  h1 { margin: 0 0 1rem; font-size: 1.5rem }
  form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-bottom: 1.5rem }
  label { flex: 1 1 16rem; display: grid; gap: .25rem; color: #bccac9 }
  input, button { font: inherit; min-height: 2.75rem; padding: 0 .875rem; border-radius: .5rem }
  input { width: 100%; border: 1px solid #6c8083; background: #121b1e; color: inherit }
  button { border: 0; background: #5fe0bb; color: #08201b; font-weight: 600; cursor: pointer }
  article { margin-bottom: .75rem; padding: 0 1rem; overflow: hidden; border: 1px solid #27343a; border-radius: .75rem; background: #121b1e }
  h2 { margin: 0; font-size: 1.125rem }
  .about { display: block; color: #9fb0b2; font-size: .875rem; overflow-wrap: anywhere }
  iframe { display: block; width: 100%; height: 30rem; border: 0; border-radius: .5rem; background: #eef3f2; color-scheme: light }
  summary { min-height: 2.75rem; display: flex; gap: 1rem; align-items: center; justify-content: space-between; color: #bccac9; cursor: pointer }
  article > details > summary { margin: 0 -1rem; padding: .75rem 1rem; color: inherit }
  summary::-webkit-details-marker { display: none }
  summary::after { content: ""; flex: none; width: .5rem; height: .5rem; margin-right: .25rem; border: solid #9fb0b2; border-width: 0 2px 2px 0; transform: rotate(45deg) }
  details[open] > summary::after { transform: rotate(225deg) }
  .alone { display: flex; align-items: center; min-height: 2.75rem }
  nav { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between }
  nav a { min-height: 2.75rem; display: inline-flex; align-items: center; padding: 0 .875rem }
  pre { margin: 0 0 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; color: #d5e0df }
  a { color: #5fe0bb }
  :focus-visible { outline: 2px solid #5fe0bb; outline-offset: 3px }
  summary:focus-visible { outline-offset: -2px }
  @media (max-width: 40rem) { iframe { width: calc(100% + 2rem); height: 36rem; margin: 0 -1rem; border-radius: 0 } }
`

/** Everything in a mail is escaped: strangers may have typed the names in it. */
export function outboxPage({ mails, next, isFirst, to, nonce, publicUrl }: Page): string {
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>E-mails – Ambiente de teste</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<header class="notice">Ambiente de teste: nenhum destes e-mails saiu desta máquina</header>
<main>
<h1>E-mails enviados</h1>
<form method="get" action="/simulador/emails">
<label>Endereço<input name="to" type="text" inputmode="email" autocomplete="off" value="${escapeHtml(to ?? "")}"></label>
<button type="submit">Filtrar</button>
</form>
${mails.length === 0 ? nothingFound(to) : mails.map((mail, at) => article(mail, { isOpen: at === 0, publicUrl })).join("\n")}
${pages({ next, isFirst, to })}</main>
</body>
</html>
`
}

function nothingFound(to: string | null): string {
  const all = to === null ? "" : ' <a href="/simulador/emails">Ver todos</a>'
  return `<p>Nenhum e-mail encontrado.${all}</p>`
}

function pages({ next, isFirst, to }: Pick<Page, "next" | "isFirst" | "to">): string {
  if (next === null && isFirst) return ""
  const address = (after: string | null) => {
    const query = new URLSearchParams({ ...(to !== null && { to }), ...(after !== null && { after }) })
    return escapeHtml(`/simulador/emails${query.size === 0 ? "" : `?${query.toString()}`}`)
  }
  const newest = isFirst ? "" : `<a href="${address(null)}">Mais recentes</a>`
  const older = next === null ? "" : `<a href="${address(next)}" rel="next">Mais antigos</a>`
  return `<nav aria-label="Paginação">${newest}${older}</nav>\n`
}

/** The letter for its frame, which has no address of its own to show: links open in a new tab. */
export function letterPage(html: string): string {
  return html.replace(/<head>/i, '<head><base target="_blank">')
}

interface Shown {
  isOpen: boolean
  publicUrl: string
}

/** A closed mail loads no letter. */
function article({ id, to, subject, text, sentAt }: OutboxMail, { isOpen, publicUrl }: Shown): string {
  const moment = `<time datetime="${sentAt.toISOString()}">${inSaoPaulo.format(sentAt)}</time>`
  return `<article>
<details${isOpen ? " open" : ""}>
<summary><span><h2>${escapeHtml(subject)}</h2><span class="about">Para ${escapeHtml(to)} · ${moment}</span></span></summary>
<iframe title="Mensagem: ${escapeHtml(subject)}" src="/simulador/emails/${id}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<a class="alone" href="/simulador/emails/${id}" target="_blank">Abrir em nova aba</a>
<details><summary>Só o texto</summary><pre>${withLinks(text, publicUrl)}</pre></details>
</details>
</article>`
}

/** Only our own links become clickable. */
function withLinks(text: string, publicUrl: string): string {
  const link = new RegExp(`${RegExp.escape(publicUrl)}/[\\w/-]*`, "g")
  let html = ""
  let end = 0
  for (const { 0: url, index } of text.matchAll(link)) {
    html += `${escapeHtml(text.slice(end, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    end = index + url.length
  }
  return html + escapeHtml(text.slice(end))
}
