import { expect, test } from "vitest"
import { openTestApp } from "../../test-support/test-app.ts"

const token = "um-segredo-bem-comprido"

test("the metrics are for this machine, and for whoever has METRICS_TOKEN", async () => {
  const [closed, open] = await Promise.all([openTestApp(), openTestApp({ metricsToken: token })])
  try {
    const far = { from: "203.0.113.7" }
    const statusOf = async (site: typeof open, options: object) => (await site.call("GET", "/metrics", options)).status
    for (const site of [closed, open]) {
      expect(await statusOf(site, {})).toBe(200)
      expect(await statusOf(site, far)).toBe(403)
      expect(await statusOf(site, { headers: { "x-forwarded-for": "203.0.113.7" } })).toBe(403)
      expect(await statusOf(site, { headers: { host: "pix.exemplo.com.br" } })).toBe(403)
    }
    expect(await statusOf(open, { ...far, token })).toBe(200)
    expect(await statusOf(open, { ...far, token: `${token}x` })).toBe(403)
    expect(await statusOf(closed, { ...far, token })).toBe(403)
    expect((await open.call("GET", "/healthz", far)).status).toBe(200)
  } finally {
    await Promise.all([closed.close(), open.close()])
  }
})
