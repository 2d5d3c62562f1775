import { createHash } from "node:crypto"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { findPublicChargePage, type PublicChargePage } from "#domain/selling/charge-pages/find-public-charge-page"
import type { HttpDeps } from "#http/deps"
import { isStorableLink } from "#http/public/storable-link"
import { DomainError } from "#kit/domain-error"
import type { PreviewSubject } from "./preview-drawing.ts"

/** Increment it when the drawing changes, which invalidates all cached pictures. */
const DESIGN = 1

type Deps = Pick<HttpDeps, "db" | "clock" | "previews">

interface Call {
  Params: { link: string }
  Querystring: { v?: string }
}

/** The preview picture for messengers. Its address changes with its content, so it may be cached for ever. */
export function pagePreview(app: FastifyInstance, { db, clock, previews }: Deps): void {
  app.addHook("onClose", async () => previews.stop())

  app.get<Call>("/checkout/:link/preview.png", async (request, reply) => {
    const { link } = request.params
    const [found, platform] = await Promise.all([
      isStorableLink(link) ? findPublicChargePage(db, clock, link) : null,
      readPlatform(db),
    ])
    if (found === null) throw new DomainError("public_charge_page_not_found")
    const subject = previewSubject(found, platform.name)
    const version = versionOf(subject)
    const etag = `"${version}"`
    reply.headers({
      etag,
      "cache-control": request.query.v === version ? "public, max-age=31536000, immutable" : "public, max-age=300",
      "cross-origin-resource-policy": "cross-origin",
    })
    if (request.headers["if-none-match"] === etag) return reply.code(304).send()
    return reply.type("image/png").send(await previews.paint(version, subject))
  })
}

export function previewUrlOf(found: PublicChargePage, platformName: string, origin: string): string {
  const version = versionOf(previewSubject(found, platformName))
  return `${origin}/checkout/${found.page.uniqueLink}/preview.png?v=${version}`
}

function previewSubject({ page, sellerName }: PublicChargePage, platformName: string): PreviewSubject {
  return { title: page.title, amount: reaisText(page.amountCents), sellerName, platformName }
}

function versionOf({ title, amount, sellerName, platformName }: PreviewSubject): string {
  const shown = JSON.stringify([DESIGN, title, amount, sellerName, platformName])
  return createHash("sha256").update(shown).digest("base64url").slice(0, 12)
}
