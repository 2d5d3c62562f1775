import { randomBytes } from "node:crypto"
import { acceptLegalTextsEndpoint, listMyLegalTextsEndpoint } from "@tilinta/contract/legal-texts"
import { type LegalKind, legalKinds, legalPaths, legalTitles } from "@tilinta/contract/vocabulary/mails"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { noticePage } from "#http/notice-page"
import { limitAddresses } from "#http/rate-limits"
import { noncePolicy } from "#http/security-headers"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { escapeHtml } from "#kit/html"
import { actorOf, sellerOf } from "#people/sessions/caller"
import { momentText } from "#platform/mails/mail-content"
import { readOperator, readPlatform } from "#platform/settings/reads"
import type { HttpDeps } from "#start/deps"
import { acceptLegalTexts, listLegalTextsOf, readLegalText, type ShownLegalText } from "./texts.ts"

/** A few hundred people behind one address read them at once. */
const perAddress = { burst: 600, perSecond: 50, keys: 20_000 }

/** Terms and privacy policy, for everybody: plain pages that need no script, also of versions that were in force before. */
export function legalPages(scope: FastifyInstance, deps: Pick<HttpDeps, "db" | "clock">): void {
  limitAddresses(scope, deps, perAddress)
  for (const kind of legalKinds) {
    scope.get<{ Querystring: { versao?: unknown } }>(legalPaths[kind], async ({ query }, reply) => {
      const text = await readLegalText(deps.db, kind, versionOf(query.versao))
      if (text === null) throw new DomainError("not_found")
      const { platformName, html } = await pageOf(deps.db, kind, text)
      const nonce = randomBytes(16).toString("base64")
      return reply
        .headers({ "content-security-policy": noncePolicy(nonce), "cache-control": "no-cache" })
        .type("text/html; charset=utf-8")
        .send(noticePage({ platformName, title: legalTitles[kind], html, nonce }))
    })
  }
}

function versionOf(sent: unknown): number | null {
  if (sent === undefined) return null
  const version = typeof sent === "string" && /^\d{1,6}$/.test(sent) ? Number(sent) : 0
  if (version === 0) throw new DomainError("not_found")
  return version
}

async function pageOf(db: Db, kind: LegalKind, { body, version, publishedAt, isInForce }: ShownLegalText) {
  const [{ name: platformName, supportEmail }, operator] = await Promise.all([readPlatform(db), readOperator(db)])
  const contact = operator.privacyContact || supportEmail
  const who = [operator.legalName, operator.cnpj === "" ? "" : `CNPJ ${operator.cnpj}`].filter((part) => part !== "")
  const other: LegalKind = kind === "terms" ? "privacy" : "terms"
  const html = [
    isInForce
      ? ""
      : `<p class="warning">Esta versão já não está em vigor. <a class="link" href="${legalPaths[kind]}">Ler a atual</a></p>`,
    paragraphsOf(body),
    who.length === 0 ? "" : `<p>Quem opera: ${escapeHtml(who.join(", "))}.</p>`,
    `<p>Dados pessoais: <a class="link" href="mailto:${escapeHtml(contact)}">${escapeHtml(contact)}</a></p>`,
    `<p class="small">Versão ${version}, de ${escapeHtml(momentText(publishedAt.toISOString()))}${version > 1 ? ` · <a class="link" href="?versao=${version - 1}">versão anterior</a>` : ""} · <a class="link" href="${legalPaths[other]}">${legalTitles[other]}</a></p>`,
  ]
  return { platformName, html: html.filter((part) => part !== "").join("\n") }
}

/** A line that begins with # is a heading, an empty one ends a paragraph. */
function paragraphsOf(body: string): string {
  return body
    .split(/\n{2,}|\n(?=#)|\n(?<=^#[^\n]*\n)/m)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith("#")
        ? `<h2>${escapeHtml(part.replace(/^#+\s*/, ""))}</h2>`
        : `<p>${escapeHtml(part).replaceAll("\n", "<br>")}</p>`,
    )
    .join("\n")
}

export function legalTextRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, listMyLegalTextsEndpoint, async ({ request }) => ({
    legalTexts: (await listLegalTextsOf(deps.db, sellerOf(request).id)).map(toView),
  }))

  serveEndpoint(app, acceptLegalTextsEndpoint, async ({ body, request }) => ({
    legalTexts: (await acceptLegalTexts(deps, actorOf(request), body.versions)).map(toView),
  }))
}

function toView({ kind, version, publishedAt, acceptedAt }: Awaited<ReturnType<typeof listLegalTextsOf>>[number]) {
  return {
    kind,
    version,
    title: legalTitles[kind],
    path: legalPaths[kind],
    publishedAt: publishedAt.toISOString(),
    acceptedAt: acceptedAt?.toISOString() ?? null,
  }
}
