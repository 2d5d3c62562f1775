import { afterAll, describe, expect, test } from "vitest"
import { newPerson } from "../../../test-support/admins.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const admin = await newPerson(site, "chefe@tilinta.example", "admin")
const token = await site.signUp("ana@loja.example")

afterAll(() => site.close())

async function newPage(title = "Curso <b>de</b> Pix"): Promise<{ _id: string; uniqueLink: string; slug: string }> {
  const body = { title, slug: "curso", amount: 10, requireCustomerData: false }
  return (await site.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage
}

let address = 1
/** Each from a network of its own, unless it says which. */
function report(link: string, from = `198.51.100.${address++}`) {
  return site.call("POST", `/api/v1/checkout/pages/${link}/reports`, { body: { reason: "scam" }, from })
}

const asAdmin = (method: "GET" | "PATCH", path: string, body?: object) =>
  site.call(method, `/api/v1/admin/page-reports${path}`, { token: admin.token, ...(body && { body }) })

async function suspended(page: { uniqueLink: string }): Promise<string> {
  await report(page.uniqueLink)
  const { reports } = (await asAdmin("GET", "")).json.data
  const { _id } = reports.find((each: { checkoutPage: object }) => hasLink(each, page.uniqueLink))
  await asAdmin("PATCH", `/${_id}/suspend`, { reason: "impersonation" })
  return _id
}

const hasLink = ({ checkoutPage }: { checkoutPage: object }, link: string) =>
  JSON.stringify(checkoutPage).includes(link)

describe("the call that reports a page", () => {
  test("answers the same whether it counts, and asks for a known reason and a page that payers see", async () => {
    const { uniqueLink } = await newPage()
    const first = await report(uniqueLink, "203.0.113.1")
    const second = await report(uniqueLink, "203.0.113.1")
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json])
    const url = `/api/v1/checkout/pages/${uniqueLink}/reports`
    expect((await site.call("POST", url, { body: { reason: "ódio" } })).status).toBe(400)
    const unknown = await report("nada")
    expect([unknown.status, unknown.json.code]).toEqual([404, "public_charge_page_not_found"])
  })

  test("is limited for an address and a page, and for a page from everywhere", async () => {
    const [one, other] = [await newPage(), await newPage()]
    const statuses = []
    for (let times = 0; times < 7; times += 1) statuses.push((await report(one.uniqueLink, "203.0.113.2")).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429])
    expect((await report(other.uniqueLink, "203.0.113.2")).status).toBe(201)
    const flood = await Promise.all(Array.from({ length: 120 }, (_, at) => report(other.uniqueLink, `192.0.2.${at}`)))
    expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(15)
    expect((await report((await newPage()).uniqueLink)).status).toBe(201)
  })
})

describe("the page that reports without script", () => {
  const send = (link: string, rawBody: string, headers: object = {}) =>
    site.call("POST", `/checkout/${link}/denunciar`, {
      rawBody,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      from: `198.51.100.${address++}`,
    })

  test("asks for one of five reasons, thanks, and shows the seller's words as text", async () => {
    const { uniqueLink } = await newPage()
    const asked = await site.call("GET", `/checkout/${uniqueLink}/denunciar`)
    expect([asked.status, asked.headers["x-robots-tag"]]).toEqual([200, "noindex"])
    expect(asked.text.match(/type="radio"/g)).toHaveLength(5)
    expect(asked.text).not.toContain("<b>de</b>")
    expect(asked.text).not.toContain("<script")
    const empty = await send(uniqueLink, "")
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining("Escolha o motivo da denúncia.")])
    const thanked = await send(uniqueLink, "motivo=not_delivered")
    expect([thanked.status, thanked.text]).toEqual([200, expect.stringContaining("Denúncia recebida")])
    const { reports } = (await asAdmin("GET", "")).json.data
    expect(reports[0]).toMatchObject({ reasons: [{ reason: "not_delivered", count: 1 }] })
  })

  test("takes no form of another site, and nothing of a page that payers don't see", async () => {
    const { uniqueLink } = await newPage()
    const foreign = await send(uniqueLink, "motivo=scam", { "sec-fetch-site": "cross-site" })
    expect(foreign.status).toBe(422)
    const rows = await site.db
      .selectFrom("page_reports")
      .innerJoin("charge_pages", "charge_pages.id", "page_reports.page_id")
      .where("unique_link", "=", uniqueLink)
      .select("page_reports.id")
      .execute()
    expect(rows).toEqual([])
    for (const method of ["GET", "POST"] as const) {
      const rawBody = method === "POST" ? "motivo=scam" : undefined
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const reply = await site.call(method, "/checkout/nada/denunciar", { ...(rawBody && { rawBody, headers }) })
      expect([reply.status, reply.text]).toEqual([404, expect.stringContaining("Nada para denunciar aqui")])
    }
  })
})

describe("a suspended page", () => {
  test("is 'Página suspensa' for payers, and its seller sees since when and why", async () => {
    const page = await newPage()
    await suspended(page)
    for (const link of [page.uniqueLink, page.slug]) {
      const shown = await site.call("GET", `/api/v1/checkout/pages/${link}`)
      expect([shown.status, shown.json]).toMatchObject([
        404,
        { code: "charge_page_suspended", message: "Página suspensa" },
      ])
      const html = await site.call("GET", `/checkout/${link}`)
      expect(html.status).toBe(404)
      expect(html.text).toContain('"hiddenBy":"charge_page_suspended"')
    }
    for (const file of ["qr.svg", "denunciar"]) {
      expect((await site.call("GET", `/checkout/${page.uniqueLink}/${file}`)).status).toBe(404)
    }
    const paying = { body: { checkoutPageId: page._id, customerInfo: null } }
    const asked = await site.call("POST", "/api/v1/checkout/process-modern-pix-payment", paying)
    expect([asked.status, asked.json.code]).toEqual([404, "charge_page_suspended"])

    const own = (await site.call("GET", `/api/v1/checkout/pages/${page._id}`, { token })).json.data.checkoutPage
    const since = site.clock.now().toISOString()
    expect(own).toMatchObject({ status: "active", suspendedAt: since, suspendedFor: "impersonation" })
    const changed = await site.call("PATCH", `/api/v1/checkout/pages/${page._id}`, { token, body: { title: "Outro" } })
    expect([changed.status, changed.json.code]).toEqual([409, "charge_page_not_editable"])
    expect((await site.call("PATCH", `/api/v1/checkout/pages/${page._id}/cancel`, { token })).status).toBe(200)
  })
})

describe("the administrators' queue", () => {
  test("is read part by part, newest first, by status, and names who decided", async () => {
    const pages = [await newPage("Um"), await newPage("Dois"), await newPage("Três")]
    for (const { uniqueLink } of pages) {
      site.clock.pass(60)
      await report(uniqueLink)
    }
    const first = (await asAdmin("GET", "?limit=2")).json.data
    const titlesOf = ({ reports }: { reports: { checkoutPage: { title: string } }[] }) =>
      reports.map(({ checkoutPage }) => checkoutPage.title)
    expect(titlesOf(first)).toEqual(["Três", "Dois"])
    const second = (await asAdmin("GET", `?limit=1&after=${first.next}`)).json.data
    expect(titlesOf(second)).toEqual(["Um"])
    expect(second.summary.open).toBe(first.summary.open)

    const [, dois] = first.reports
    const dismissed = await asAdmin("PATCH", `/${dois._id}/dismiss`)
    expect(dismissed.json).toMatchObject({
      message: "Denúncia descartada.",
      data: { report: { status: "dismissed", decidedBy: { _id: admin.id } } },
    })
    expect(titlesOf((await asAdmin("GET", "?status=dismissed")).json.data)).toEqual(["Dois"])
    await report(pages[1]?.uniqueLink ?? "")
    expect((await asAdmin("GET", "")).json.data.reports[0]).toMatchObject({ dismissedBefore: 1 })
    const lost = await asAdmin("GET", `?after=${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}`)
    expect(lost.status).toBe(400)
  })

  test("lifts a suspension, after which the page takes payments again", async () => {
    const page = await newPage()
    const id = await suspended(page)
    const lifted = await asAdmin("PATCH", `/${id}/lift`)
    expect(lifted.json.data.report).toMatchObject({
      ...{ status: "lifted", suspendedFor: "impersonation", liftedBy: { _id: admin.id } },
    })
    expect((await site.call("GET", `/api/v1/checkout/pages/${page.uniqueLink}`)).status).toBe(200)
  })
})
