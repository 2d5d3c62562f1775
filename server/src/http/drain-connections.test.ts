import { expect, test } from "vitest"
import { openTestApp } from "../../test-support/test-app.ts"

test("a server that drains is not ready, still serves, and closes each connection with its reply", async () => {
  let isDraining = false
  const site = await openTestApp({ drain: { isDraining: () => isDraining, begin: async () => undefined } })
  try {
    const before = await site.call("GET", "/readyz")
    expect([before.status, before.headers["connection"]]).toEqual([200, "keep-alive"])
    isDraining = true
    expect(await site.call("GET", "/readyz")).toMatchObject({ status: 503, json: { code: "service_unavailable" } })
    expect((await site.call("GET", "/healthz")).status).toBe(200)
    const setting = await site.call("GET", "/api/v1/public/settings/PLATFORM_NAME")
    expect([setting.status, setting.headers["connection"]]).toEqual([200, "close"])
  } finally {
    await site.close()
  }
})
