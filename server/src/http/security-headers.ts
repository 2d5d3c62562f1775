import { createHash } from "node:crypto"
import type { FastifyInstance } from "fastify"

/** Constants, set on every reply: computing them each time would cost more than the rest of a small request. */
export const securityHeaders = {
  "content-security-policy": "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
}

const forTheApi = { ...securityHeaders, "cache-control": "no-store" }

const noPermission =
  "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()"
/** For the one page that reads QR codes. */
export const cameraPolicy = noPermission.replace("camera=()", "camera=(self)")

/** Only documents have permissions, and polls should carry no more than they need. */
const forPages = { ...securityHeaders, "permissions-policy": noPermission }

/** The strictest policy by default, and no caching of API answers; pages then set their own. */
export function protectReplies(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(protectionOf(request.url))
    done()
  })
}

export function protectionOf(url: string): Readonly<Record<string, string>> {
  return isApiUrl(url) ? forTheApi : forPages
}

export function isApiUrl(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url)
}

const nothing = "'none'"

/** For the app's pages: our own files, and only the inline content that the HTML has at start. */
export function appPolicy(html: string): string {
  return policy({
    "default-src": ["'self'"],
    "script-src": ["'self'", ...inlineHashes(html, "script")],
    "style-src": ["'self'", ...inlineHashes(html, "style")],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "object-src": [nothing],
    "base-uri": [nothing],
    "form-action": ["'self'"],
    "frame-ancestors": [nothing],
  })
}

/** For a page with inline script and style, allowed by this reply's nonce; `runsOwn` adds script files and workers of ours. */
export function noncePolicy(nonce: string, { framesOwn = false, runsOwn = false } = {}): string {
  return policy({
    "default-src": [nothing],
    "script-src": [`'nonce-${nonce}'`, ...(runsOwn ? ["'self'"] : [])],
    "style-src": [`'nonce-${nonce}'`],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    ...(framesOwn && { "frame-src": ["'self'"] }),
    ...(runsOwn && { "worker-src": ["'self'"] }),
    "object-src": [nothing],
    "base-uri": [nothing],
    "form-action": ["'self'"],
    "frame-ancestors": [nothing],
  })
}

/** For a service worker, whose own reply says what it may fetch. */
export const workerPolicy = policy({
  "default-src": [nothing],
  "script-src": ["'self'"],
  "connect-src": ["'self'"],
  "object-src": [nothing],
  "base-uri": [nothing],
  "frame-ancestors": [nothing],
})

/** For a letter inside the outbox page: no script, and only the style attributes that the letter has. */
export function letterPolicy(html: string): string {
  const styles = new Set([...html.matchAll(/\sstyle="([^"]*)"/g)].map(([, style = ""]) => `'${sha256(style)}'`))
  return policy({
    "default-src": [nothing],
    "style-src": ["'unsafe-hashes'", ...styles],
    "img-src": ["data:"],
    "object-src": [nothing],
    "base-uri": [nothing],
    "form-action": [nothing],
    "frame-ancestors": ["'self'"],
    sandbox: ["allow-popups", "allow-popups-to-escape-sandbox"],
  })
}

function policy(directives: Record<string, string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ")
}

function inlineHashes(html: string, element: "script" | "style"): string[] {
  const pattern = new RegExp(`<${element}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${element}>`, "gi")
  return [...html.matchAll(pattern)].map(([, content = ""]) => {
    return `'${sha256(content)}'`
  })
}

function sha256(content: string): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`
}
