import { randomBytes } from "node:crypto"
import type { FastifyReply } from "fastify"
import { noncePolicy } from "#http/content-security-policy"
import { escapeHtml } from "#kit/escape-html"
import { noticePage } from "./notice-page.ts"

interface PlainPage {
  platformName: string
  title: string
  text: string
  /** Markup of our own below the text: a form or a link. */
  below: string
  status: number
}

/** A page of one question or answer for a link of ours. It needs no script and no session, and is never indexed. */
export function sendPlainPage(
  reply: FastifyReply,
  { platformName, title, text, below, status }: PlainPage,
): FastifyReply {
  const nonce = randomBytes(16).toString("base64")
  const headers = {
    "content-security-policy": noncePolicy(nonce),
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
  }
  const html = `<p>${escapeHtml(text)}</p>\n${below}`
  const page = noticePage({ platformName, title, html, nonce })
  return reply.code(status).headers(headers).type("text/html; charset=utf-8").send(page)
}
