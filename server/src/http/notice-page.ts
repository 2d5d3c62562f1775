import { randomBytes } from "node:crypto"
import { readdirSync } from "node:fs"
import type { FastifyReply } from "fastify"
import { escapeHtml } from "#kit/html"
import { noncePolicy } from "./security-headers.ts"

interface Notice {
  platformName: string
  title: string
  /** Stands above the title, in place of the platform's name. Escaped, as all markup here. */
  head?: string
  html: string
  nonce: string
  /** Rules of this page alone. */
  style?: string
}

/** The app's font, whose file its build names; before a build the system's own serves. */
function fontFace(): string {
  const isFont = (name: string) => /^figtree-latin-wght-normal.*\.woff2$/.test(name)
  try {
    const file = readdirSync(new URL("../../../web/dist/app/assets", import.meta.url)).find(isFont)
    if (file === undefined) return ""
    return `@font-face { font-family: Figtree; font-weight: 300 900; font-display: swap; src: url("/assets/${file}") format("woff2") }`
  } catch {
    return ""
  }
}

/** As the app's screens in front of the login look. */
const sharedStyle = `
  ${fontFace()}
  :root { color-scheme: dark; --font: Figtree, system-ui, sans-serif }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; align-content: start; justify-items: center; padding: 0 1rem 2.5rem; background: radial-gradient(90% 60% at 50% -10%, #0f2b29, transparent 70%) no-repeat #0b1214; color: #eef4f3; font: 400 .9375rem/1.5 var(--font); -webkit-font-smoothing: antialiased }
  .brand { display: flex; align-items: center; gap: .6875rem; width: 100%; max-width: 67.5rem; min-height: 2.75rem; margin: 1.25rem 0; color: #eef4f3; font-size: 1.25rem; font-weight: 750; letter-spacing: -.025em }
  .brand svg { flex: none; width: 1.875rem; height: 1.875rem }
  main { width: 100%; max-width: 27rem; padding: 2rem 1.5rem; border: 1px solid #27343a; border-radius: 1.5rem; background: #121b1e; box-shadow: 0 12px 32px -16px #0009 }
  p { margin: 0 0 1rem; color: #bccac9 }
  p:last-child { margin-bottom: 0 }
  ul { margin: 0 0 1.5rem; padding-left: 1.25rem; color: #bccac9 }
  li + li { margin-top: .5rem }
  h1 { margin: 0 0 .75rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.028em; text-wrap: balance }
  form { margin: 0 0 1rem }
  form:last-child { margin: 0 }
  button, .button { display: block; width: 100%; padding: .625rem 1rem; font: inherit; min-height: 2.75rem; border: 0; border-radius: .75rem; background: #5fe0bb; color: #08201b; font-weight: 650; text-align: center; text-decoration: none; cursor: pointer }
  .alarm { background: #ff8f7d; color: #2b0a05 }
  .warning { padding: .75rem 1rem; border: 1px solid #8a5a20; border-radius: .75rem; color: #f3c988 }
  .small { font-size: .875rem }
  h2 { margin: 1.5rem 0 .5rem; font-size: 1.0625rem }
  .field { display: grid; gap: .25rem }
  .field label { color: #eef4f3; font-weight: 600 }
  .field span { font-size: .875rem; overflow-wrap: anywhere }
  .field .wrong { color: #ff8f7d }
  input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid #4b5f66; border-radius: .75rem; background: #0b1214; color: #eef4f3; font: inherit }
  input[aria-invalid] { border-color: #ff8f7d }
  a { color: #5fe0bb }
  .link { display: inline-flex; align-items: center; min-width: 2.75rem; min-height: 2.75rem; overflow-wrap: anywhere }
  fieldset { margin: 0 0 1rem; padding: 0; border: 0 }
  legend { margin-bottom: .25rem; padding: 0; color: #bccac9 }
  .choice { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; padding: .25rem 0; line-height: 1.35; cursor: pointer }
  .choice input { flex: none; width: 1.25rem; min-height: 1.25rem; margin: 0; padding: 0; accent-color: #5fe0bb }
  :focus-visible { outline: 2px solid #5fe0bb; outline-offset: 3px }
  @media (min-width: 48rem) { .brand { margin: 1.75rem 0 5vh } main { padding: 2rem } }
`

const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#5fe0bb"/><path fill="#08201b" d="M8 8.5h16v3.7h-5.95V24h-4.1V12.2H8z"/></svg>'

/** A page of few words, sent without the app: it needs no script and no session. */
export function noticePage({ platformName, title, head, html, nonce, style = "" }: Notice): string {
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapeHtml(`${title} · ${platformName}`)}</title>
<style nonce="${nonce}">${sharedStyle}${style}</style>
</head>
<body>
${head === undefined ? `<header class="brand">${mark}${escapeHtml(platformName)}</header>` : ""}
<main>
${head ?? ""}
<h1>${escapeHtml(title)}</h1>
${html}
</main>
</body>
</html>
`
}

interface PlainPage {
  platformName: string
  title: string
  text: string
  /** Markup of our own below the text: a form or a link. */
  below: string
  status: number
}

/** Pages behind our links are stored and indexed nowhere. */
export function plainPageHeaders(nonce: string): Record<string, string> {
  return { "content-security-policy": noncePolicy(nonce), "cache-control": "no-store", "x-robots-tag": "noindex" }
}

/** A page of one question or answer for a link of ours. It needs no script and no session, and is never indexed. */
export function sendPlainPage(
  reply: FastifyReply,
  { platformName, title, text, below, status }: PlainPage,
): FastifyReply {
  const nonce = randomBytes(16).toString("base64")
  const html = `<p>${escapeHtml(text)}</p>\n${below}`
  const page = noticePage({ platformName, title, html, nonce })
  return reply.code(status).headers(plainPageHeaders(nonce)).type("text/html; charset=utf-8").send(page)
}
