import { afterAll, expect, test } from "vitest"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

test("a page's QR is drawn for anybody with the link, by slug too", async () => {
  const token = await site.signUp("ana@loja.example")
  const body = { title: "Mentoria", slug: "mentoria", amount: 10 }
  const page = (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage
  const byLink = await site.call("GET", `/checkout/${page.uniqueLink}/qr.svg`)
  expect([byLink.status, byLink.headers["content-type"]]).toEqual([200, "image/svg+xml"])
  expect(byLink.text).toMatch(/^<svg .*shape-rendering="crispEdges"><path fill="#fff" .*<\/svg>$/)
  expect((await site.call("GET", "/checkout/mentoria/qr.svg")).text).toBe(byLink.text)
  await site.call("PATCH", `/api/v1/checkout/pages/${page._id}/cancel`, { token })
  expect((await site.call("GET", `/checkout/${page.uniqueLink}/qr.svg`)).status).toBe(404)
})

test("a link that never was has no QR", async () => {
  for (const link of ["nao-existe", "%00", "x".repeat(300)]) {
    expect((await site.call("GET", `/checkout/${link}/qr.svg`)).status).toBe(404)
  }
})
