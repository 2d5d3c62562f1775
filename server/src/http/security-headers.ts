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
