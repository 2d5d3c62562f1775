import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import { afterAll, describe, expect, test } from "vitest"
import { bookPayments, removeDueCharges } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { listNotices } from "#platform/mails/notices"
import type { Psp } from "#psp/psp"
import { noOrder } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import { createSingleCharge } from "#selling/charges/create-single"
import { updateChargePage } from "#selling/closings/closings"
import { createAdmin, createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { dismissPageReport, liftSuspension, suspendPage } from "./decide.ts"
import { listPageReports, reportPage } from "./reports.ts"

const sandbox = await openSandbox()
const adminId = await createAdmin(sandbox)

afterAll(async () => {
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

const by = (id = adminId) => ({ id, address: null })
const refusedAs = (code: string) => expect.objectContaining({ code })

async function newPage(maxPayments: number | null = null) {
  return createPage(sandbox, { sellerId: await createSeller(sandbox), maxPayments })
}

const report = (link: string, network = "203.0.113.7") => reportPage(sandbox, { link, reason: "scam", network })
const ask = (pageId: string, psp = sandbox.psp) =>
  createCharge({ ...sandbox, psp }, { pageId, customerInfo: null, idempotencyKey: null })

async function reportsOf(pageId: string) {
  const { reports } = await listPageReports(sandbox, { filter: "all", limit: 1_000 })
  return reports.filter((each) => each.pageId === pageId)
}

/** The page's only row in the queue. */
async function reported(page: { id: string; uniqueLink: string }): Promise<string> {
  await report(page.uniqueLink)
  const [only] = await reportsOf(page.id)
  return only?.id ?? "none"
}

const suspend = (id: string, admin = adminId) => suspendPage(sandbox, { id, reason: null, admin: by(admin) })
const chargesOf = (pageId: string) =>
  sandbox.db.selectFrom("charges").selectAll().where("page_id", "=", pageId).orderBy("id").execute()
const noticesOf = async (userId: string) => (await listNotices(sandbox.db, userId, { limit: 50 })).notices

/** Holds every code back until it is let go. */
function slowBank() {
  const { promise: requests, resolve: wasAsked } = Promise.withResolvers<void>()
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>()
  const psp: Psp = {
    ...sandbox.psp,
    async createCharge(request) {
      wasAsked()
      await isLetGo
      return sandbox.psp.createCharge(request)
    },
  }
  return { psp, requests: requests, letGo }
}

describe("a report", () => {
  test("opens one row for the page, which others join, each network once a day", async () => {
    const page = await newPage()
    await report(page.uniqueLink)
    await report(page.slug)
    await reportPage(sandbox, { link: page.uniqueLink, reason: "illegal", network: "198.51.100.1" })
    expect(await reportsOf(page.id)).toMatchObject([
      { status: "open", reasons: ["scam", "illegal"], dismissedBefore: 0, seller: { id: page.sellerId } },
    ])
    await sandbox.db.updateTable("charge_pages").set({ expires_at: null }).where("id", "=", page.id).execute()
    const tomorrow = { ...sandbox, clock: { now: () => new Date(Date.now() + 86_400_000) } }
    await reportPage(tomorrow, { link: page.uniqueLink, reason: "other", network: "203.0.113.7" })
    expect((await reportsOf(page.id))[0]?.reasons).toEqual(["scam", "illegal", "other"])
  })

  test("is one row when twenty come at once, of which administrators hear once and the seller nothing", async () => {
    const page = await newPage()
    const before = (await noticesOf(adminId)).length
    await Promise.all(Array.from({ length: 20 }, (_, at) => report(page.uniqueLink, `203.0.113.${at}`)))
    expect(await reportsOf(page.id)).toMatchObject([{ reasons: expect.objectContaining({ length: 20 }) }])
    const heard = await noticesOf(adminId)
    expect(heard.length - before).toBe(1)
    expect(heard[0]).toMatchObject({ kind: "page_reported" })
    expect(await noticesOf(page.sellerId)).toEqual([])
  })

  test("keeps nothing by which a network could be known once it is decided", async () => {
    const page = await newPage()
    const id = await reported(page)
    const row = () => sandbox.db.selectFrom("page_reports").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
    expect(JSON.stringify(await row())).not.toContain("203.0.113")
    await dismissPageReport(sandbox, { id, admin: by() })
    expect(await row()).toMatchObject({ reporters: [], status: "dismissed" })
    const records = sandbox.db.selectFrom("audit_records").selectAll().where("entity_id", "=", page.id)
    expect(await records.orderBy("happened_at").execute()).toMatchObject([
      { action: "page_report.opened", actor_id: null, actor_address: null, actor_device: null },
      { action: "page_report.dismissed", actor_id: adminId },
    ])
  })
})

describe("a suspension", () => {
  test("closes the open codes, lets no payer in, tells the seller why, and money that comes is booked as late", async () => {
    const page = await newPage()
    const open = await ask(page.id)
    const id = await reported(page)
    await suspend(id)

    expect(await chargesOf(page.id)).toMatchObject([{ status: "cancelled", removal: "due" }])
    await expect(ask(page.id)).rejects.toEqual(refusedAs("charge_page_suspended"))
    await expect(report(page.uniqueLink)).rejects.toEqual(refusedAs("charge_page_suspended"))
    const [notice] = await noticesOf(page.sellerId)
    expect(notice).toMatchObject({ kind: "page_suspended", facts: [{ value: "Golpe ou cobrança falsa" }] })
    expect(JSON.stringify(notice)).not.toContain("203.0.113")
    expect((await noticesOf(adminId))[0]).toMatchObject({ kind: "page_suspension" })
    const change = { id: page.id, sellerId: page.sellerId, changes: { title: "Outro" } }
    await expect(updateChargePage(sandbox, change)).rejects.toEqual(refusedAs("charge_page_not_editable"))

    await bookPayments(sandbox, [receiptOf(open.txid, open.amountCents)])
    expect(await chargesOf(page.id)).toMatchObject([{ status: "paid", is_late: true }])
    expect(await readSellerBalance(sandbox.db, page.sellerId)).toBe(8_500)
  })

  test("removes the codes at the bank, so that nobody can pay them", async () => {
    const page = await newPage()
    const { pixCode } = await ask(page.id)
    await suspend(await reported(page))
    await removeDueCharges(sandbox)
    expect(await chargesOf(page.id)).toMatchObject([{ status: "cancelled", removal: "done" }])
    expect((await sandbox.pay(pixCode)).status).toBe(422)
  })

  test("is decided once: again, lifted, lifted again, reported and dismissed", async () => {
    const page = await newPage()
    const id = await reported(page)
    await suspend(id)
    await expect(suspend(id)).rejects.toEqual(refusedAs("page_report_decided"))
    await expect(dismissPageReport(sandbox, { id, admin: by() })).rejects.toEqual(refusedAs("page_report_decided"))
    await liftSuspension(sandbox, { id, admin: by() })
    await expect(liftSuspension(sandbox, { id, admin: by() })).rejects.toEqual(refusedAs("page_not_suspended"))
    expect((await ask(page.id)).status).toBe("pending")
    expect((await noticesOf(page.sellerId)).map(({ kind }) => kind)).toEqual(["page_unsuspended", "page_suspended"])

    await report(page.uniqueLink)
    const [again] = await reportsOf(page.id)
    await dismissPageReport(sandbox, { id: again?.id ?? "", admin: by() })
    expect((await ask(page.id)).status).toBe("pending")
    const events = sandbox.db.selectFrom("event_drafts").select("type").where("subject_id", "=", page.id)
    const notice = (await events.execute()).map(({ type }) => type)
    expect(notice.filter((type) => type === "page.updated")).toHaveLength(2)
  })

  test("by two administrators at once happens once", async () => {
    const page = await newPage()
    const id = await reported(page)
    const other = await createAdmin(sandbox)
    const answers = await Promise.allSettled([suspend(id), suspend(id, other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    expect(answers.find((answer) => answer.status === "rejected")?.reason).toEqual(refusedAs("page_report_decided"))
    expect((await noticesOf(page.sellerId)).length).toBe(1)
  })

  test("leaves no code that can be paid, whatever was asked for at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const page = await newPage()
      const id = await reported(page)
      const requests = Array.from({ length: 8 }, () => ask(page.id))
      const [suspended] = await Promise.allSettled([suspend(id), ...requests])
      expect(suspended.status).toBe("fulfilled")
      const charges = await chargesOf(page.id)
      expect(charges.filter(({ status }) => status === "pending" || status === "creating")).toEqual([])
      const shown = charges.filter(({ pix_code }) => pix_code !== null)
      expect(shown.filter(({ removal }) => removal === "none")).toEqual([])
    }
  })

  test("wins over a code that the bank was making: it is never shown, and removed", async () => {
    const page = await newPage()
    const id = await reported(page)
    const { psp, requests, letGo } = slowBank()
    const waiting = Promise.allSettled([ask(page.id, psp)])
    await requests
    await suspend(id)
    letGo()
    expect(await waiting).toMatchObject([{ status: "rejected", reason: refusedAs("charge_page_suspended") }])
    expect(await chargesOf(page.id)).toMatchObject([{ status: "failed", removal: "due", pix_code: null }])
  })

  test("leaves no report open that came at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const page = await newPage()
      const id = await reported(page)
      await Promise.allSettled([suspend(id), report(page.uniqueLink, "198.51.100.2"), report(page.uniqueLink, "::1")])
      expect((await reportsOf(page.id)).map(({ status }) => status)).toEqual(["suspended"])
    }
  })

  test("of a charge that an API key made gives no new code to the same key", async () => {
    const sellerId = await createSeller(sandbox)
    const order = { ...noOrder, externalReference: "pedido-1" }
    const input = { sellerId, description: "Camiseta", amountCents: centsFromReais(50), order, payer: {} }
    const single = { ...input, expiresInHours: 24, expiresAt: null, idempotencyKey: "k", refuseNew: () => null }
    const { charge, uniqueLink } = await createSingleCharge(sandbox, single)
    await suspend(await reported({ id: charge.pageId, uniqueLink }))
    const again = await createSingleCharge(sandbox, single)
    expect([again.charge.id, again.charge.status]).toEqual([charge.id, "cancelled"])
    await expect(ask(charge.pageId)).rejects.toEqual(refusedAs("charge_page_suspended"))
    expect(await chargesOf(charge.pageId)).toHaveLength(1)
  })

  test("of their own page is not for an administrator who sells", async () => {
    const page = await createPage(sandbox, { sellerId: adminId })
    const id = await reported(page)
    for (const decide of [suspendPage, dismissPageReport, liftSuspension]) {
      await expect(decide(sandbox, { id, reason: null, admin: by() })).rejects.toEqual(refusedAs("own_charge_page"))
    }
  })
})
