import type { FastifyRequest } from "fastify"

/** Whether a page of somebody else sent this form. Old browsers, and all on plain http, say only the origin, or nothing. */
export function isForeignForm({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const { origin } = headers
  // Our own pages send no referrer, and browsers then hide the origin as well.
  if (origin === undefined || origin === "null") return false
  return origin !== publicUrl && URL.parse(origin)?.host !== host
}
