import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { bookPayments } from "#money/payments/book"
import { PspError } from "#psp/psp"
import { listChargePages } from "#selling/charge-pages/list-reads"
import { noOrder } from "#selling/charge-pages/rules"
import { cancelChargePage, deleteChargePage } from "#selling/closings/closings"
import { createSeller, openSandbox, receiptOf, type Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { createCharge } from "./create.ts"
import { createSingleCharge, type SingleChargeInput } from "./create-single.ts"
import { failUnfinishedCharges } from "./end.ts"

let sellerId: string

const sandbox = await openSandbox()

afterEach(() => sandbox.control({ falhaApi: null, atrasoMs: 0 }))

afterAll(() => sandbox.close())

type ChargeOptions = Partial<Omit<SingleChargeInput, "order">> & { reference?: string }

function throwing(error: Error): Sandbox["psp"] {
  return {
    ...sandbox.psp,
    async createCharge() {
      throw error
    },
  }
}

function create({ reference, ...options }: ChargeOptions = {}, psp = sandbox.psp) {
  return createSingleCharge(
    { ...sandbox, psp },
    {
      sellerId,
      description: "",
      amountCents: centsFromReais(50),
      order: { ...noOrder, externalReference: reference ?? null },
      expiresInHours: 24,
      expiresAt: null,
      payer: {},
      idempotencyKey: null,
      refuseNew: () => null,
      ...options,
    },
  )
}

async function listed() {
  const { pages } = await listChargePages(sandbox, { sellerId, limit: 100, offset: 0 })
  return pages
}

const chargesOfSeller = () =>
  sandbox.db.selectFrom("charges").selectAll().where("seller_id", "=", sellerId).orderBy("id").execute()
const refusedAs = (code: string) => expect.objectContaining({ code })

describe("a charge of its own", () => {
  beforeAll(async () => {
    sellerId = await createSeller(sandbox)
  })

  test("has a code of the bank, its payer, and a page that takes one payment and is listed as single", async () => {
    const { charge, uniqueLink } = await create({
      reference: "pedido-1",
      description: "Camiseta azul\nTamanho M",
      payer: { name: " Bruno ", phone: "+55 11 98765-4321" },
    })
    expect(charge).toMatchObject({ status: "pending", amountCents: 5_000, feeCents: 750, pageTitle: "Camiseta azul" })
    expect(charge.pixCode).toContain("540550.00")
    expect(charge.payer).toEqual({ name: " Bruno ", email: null, cpf: null, cnpj: null, phone: "11987654321" })
    const [page] = await listed()
    expect(page).toMatchObject({
      ...{ id: charge.pageId, uniqueLink, isSingle: true, maxPayments: 1, allowAnonymous: true },
      order: { externalReference: "pedido-1", metadata: {}, returnUrl: null },
    })
  })

  test("its payment completes the page", async () => {
    const { charge } = await create()
    await bookPayments(sandbox, [receiptOf(charge.txid, charge.amountCents)])
    expect((await listed()).find(({ id }) => id === charge.pageId)).toMatchObject({
      status: "completed",
      title: "Cobrança avulsa",
    })
  })

  test("data of the payer that are sent must be right", async () => {
    for (const payer of [{ cpf: "123" }, { email: "x" }, { phone: "abc" }]) {
      const [field] = Object.keys(payer)
      await expect(create({ payer })).rejects.toMatchObject({ errors: [{ path: `payer.${field}` }] })
    }
  })

  test("ends when it was told to, between a minute and a week from now", async () => {
    const inTenMinutes = new Date(Date.now() + 600_000)
    expect((await create({ expiresAt: inTenMinutes })).charge.expiresAt).toEqual(inTenMinutes)
    for (const minutes of [-1, 0, 169 * 60]) {
      const expiresAt = new Date(Date.now() + minutes * 60_000)
      await expect(create({ expiresAt })).rejects.toMatchObject({ errors: [{ path: "expiresAt" }] })
    }
  })
})

describe("one reference of a seller is charged once", () => {
  beforeAll(async () => {
    sellerId = await createSeller(sandbox)
  })

  test("twice: the second is refused; another seller's is another reference", async () => {
    await create({ reference: "A" })
    await expect(create({ reference: "A" })).rejects.toMatchObject({
      ...{ code: "external_reference_taken", errors: [{ path: "externalReference" }] },
    })
    expect((await create({ reference: "A", sellerId: await createSeller(sandbox) })).charge.status).toBe("pending")
  })

  test("ten at once: one wins, the others are refused and leave nothing", async () => {
    const before = (await chargesOfSeller()).length
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => create({ reference: "B" })))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
    expect(refused).toEqual(refused.map(() => refusedAs("external_reference_taken")))
    expect((await chargesOfSeller()).length).toBe(before + 1)
  })

  test("a deleted page frees it, unless it was paid; a cancelled one keeps it", async () => {
    const unpaid = await create({ reference: "C" })
    await cancelChargePage(sandbox, { id: unpaid.charge.pageId, sellerId })
    await expect(create({ reference: "C" })).rejects.toMatchObject({ code: "external_reference_taken" })
    await deleteChargePage(sandbox, { id: unpaid.charge.pageId, sellerId })
    const paid = await create({ reference: "C" })
    await bookPayments(sandbox, [receiptOf(paid.charge.txid, paid.charge.amountCents)])
    await deleteChargePage(sandbox, { id: paid.charge.pageId, sellerId })
    await expect(create({ reference: "C" })).rejects.toMatchObject({ code: "external_reference_taken" })
  })
})

describe("the same Idempotency-Key", () => {
  beforeAll(async () => {
    sellerId = await createSeller(sandbox)
  })

  test("is one charge, again and ten times at once", async () => {
    const input = { reference: "K1", idempotencyKey: "k1" }
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(input)))
    answers.push(await create(input))
    expect(new Set(answers.map(({ charge }) => `${charge.id} ${charge.pixCode}`)).size).toBe(1)
    expect(await listed()).toHaveLength(1)
  })

  test("with another body is refused", async () => {
    await expect(create({ reference: "K1", idempotencyKey: "k1", description: "outra" })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    })
  })

  test("after an answer that was lost asks for the very same Pix", async () => {
    const input = { reference: "K2", idempotencyKey: "k2" }
    await sandbox.control({ falhaApi: "timeout-apos-aceitar" })
    await expect(create(input)).rejects.toMatchObject({ code: "psp_unavailable" })
    const left = (await chargesOfSeller()).at(-1)
    expect(left?.status).toBe("creating")
    await sandbox.control({ falhaApi: null })
    expect((await create(input)).charge).toMatchObject({ id: left?.id, txid: left?.txid, status: "pending" })
  })

  test("after a bank that refused makes a new one, also five times at once", async () => {
    const input = { reference: "K3", idempotencyKey: "k3" }
    const refusing = throwing(new PspError("rejected", "no such key"))
    await expect(create(input, refusing)).rejects.toMatchObject({
      code: "psp_refused",
      shownMessage: "O banco recusou esta cobrança e nada foi cobrado. Fale com o suporte da plataforma.",
    })
    expect((await chargesOfSeller()).at(-1)?.status).toBe("failed")
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(input)))
    expect(new Set(answers.map(({ charge }) => charge.id)).size).toBe(1)
    expect(answers[0]?.charge.status).toBe("pending")
  })
})

describe("nothing half done is left", () => {
  beforeAll(async () => {
    sellerId = await createSeller(sandbox)
  })

  test("by a bank that is down: no page is listed, and the reference is free", async () => {
    await sandbox.control({ falhaApi: "indisponivel" })
    await expect(create({ reference: "X" })).rejects.toMatchObject({ code: "psp_unavailable" })
    expect(await listed()).toEqual([])
    await sandbox.control({ falhaApi: null })
    expect((await create({ reference: "X" })).charge.status).toBe("pending")
    expect((await chargesOfSeller())[0]).toMatchObject({ status: "failed", removal: "due" })
  })

  test("by a process that died before the bank's answer: a job ends page and charge together", async () => {
    await expect(create({ reference: "Y" }, throwing(new Error("the process died")))).rejects.toThrow("died")
    expect((await chargesOfSeller()).at(-1)?.status).toBe("creating")
    const later = { now: () => new Date(Date.now() + 60_000) }
    await failUnfinishedCharges(withSharedClock(sandbox, later))
    expect((await listed()).map(({ order }) => order.externalReference)).toEqual(["X"])
    expect((await chargesOfSeller()).at(-1)).toMatchObject({ status: "failed", removal: "due" })
    expect((await create({ reference: "Y" })).charge.status).toBe("pending")
  })

  test("but a page whose payer asks for another code, which fails, stays", async () => {
    const { charge } = await create({ reference: "Z" })
    await sandbox.control({ falhaApi: "indisponivel" })
    const again = { pageId: charge.pageId, customerInfo: null, idempotencyKey: null }
    await expect(createCharge(sandbox, again)).rejects.toMatchObject({ code: "psp_unavailable" })
    expect((await listed()).map(({ id }) => id)).toContain(charge.pageId)
  })
})
