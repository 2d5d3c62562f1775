import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, afterEach, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { bookPayments, removeDueCharges } from "#money/payments/book"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { type Psp, PspError } from "#psp/psp"
import { cancelChargePage, updateChargePage } from "#selling/closings/closings"
import { createPage, createSeller, openSandbox, receiptOf, type Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { type CreateChargeInput, createCharge } from "./create.ts"
import { failUnfinishedCharges } from "./end.ts"
import { getPaymentStatus } from "./find.ts"
import { listSellersCharges } from "./lists.ts"

const sandbox = await openSandbox()

afterEach(async () => {
  await sandbox.control({ falhaApi: null, atrasoMs: 0 })
})

afterAll(async () => {
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

interface BankBooks {
  cobrancas: { txid: string; status: string }[]
}

function input(pageId: string, options: Partial<CreateChargeInput> = {}): CreateChargeInput {
  return { pageId, customerInfo: null, idempotencyKey: null, ...options }
}

async function newPage(options: { allowAnonymous?: boolean } = {}) {
  return createPage(sandbox, { sellerId: await createSeller(sandbox), ...options })
}

async function chargesOf(pageId: string) {
  return sandbox.db.selectFrom("charges").selectAll().where("page_id", "=", pageId).orderBy("id").execute()
}

test("a charge has a code of the bank that asks for its amount, and freezes the fee", async () => {
  const page = await newPage()
  const charge = await createCharge(sandbox, input(page.id))
  expect(charge).toMatchObject({ status: "pending", amountCents: 10_000, feeCents: 1_500, netCents: 8_500 })
  expect(charge.txid).toMatch(/^[0-9A-Za-z]{32}$/)
  expect(charge.pixCode).toContain("5406100.00")
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pendente")
})

test("the same key answers the same Pix, also ten times at once", async () => {
  const page = await newPage()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => createCharge(sandbox, input(page.id, { idempotencyKey: "key-1" }))),
  )
  const again = await createCharge(sandbox, input(page.id, { idempotencyKey: "key-1" }))
  expect(new Set([...answers, again].map((charge) => charge.pixCode)).size).toBe(1)
  expect(await chargesOf(page.id)).toHaveLength(1)
})

test("the same key with other data is refused", async () => {
  const page = await newPage({ allowAnonymous: false })
  const payer = { name: "Juliana Prado", email: "ju@exemplo.com", cpf: "529.982.247-25", phone: "(11) 98765-4321" }
  await createCharge(sandbox, input(page.id, { customerInfo: payer, idempotencyKey: "key-2" }))
  const other = { ...payer, name: "Outra Pessoa" }
  await expect(
    createCharge(sandbox, input(page.id, { customerInfo: other, idempotencyKey: "key-2" })),
  ).rejects.toMatchObject({ code: "idempotency_key_reused" })
})

test("a bank that is down leaves nothing behind, and a retry with the same key works", async () => {
  const page = await newPage()
  await sandbox.control({ falhaApi: "indisponivel" })
  await expect(createCharge(sandbox, input(page.id, { idempotencyKey: "key-3" }))).rejects.toMatchObject({
    code: "psp_unavailable",
  })
  await sandbox.control({ falhaApi: null })
  const charge = await createCharge(sandbox, input(page.id, { idempotencyKey: "key-3" }))
  expect(charge.status).toBe("pending")
  const open = (await chargesOf(page.id)).filter((row) => row.status !== "failed")
  expect(open).toHaveLength(1)
})

test("P08: a charge whose answer was lost is requested again under the same txid", async () => {
  const page = await newPage()
  await sandbox.control({ falhaApi: "timeout-apos-aceitar" })
  await expect(createCharge(sandbox, input(page.id, { idempotencyKey: "key-4" }))).rejects.toMatchObject({
    code: "psp_unavailable",
  })
  const [left] = await chargesOf(page.id)
  expect(left?.status).toBe("creating")
  await sandbox.control({ falhaApi: null })
  const charge = await createCharge(sandbox, input(page.id, { idempotencyKey: "key-4" }))
  expect(charge.txid).toBe(left?.txid)
  expect(await chargesOf(page.id)).toHaveLength(1)
})

test("an unfinished charge ends as failed, and is removed at the bank", async () => {
  const page = await newPage()
  await sandbox.control({ falhaApi: "timeout-apos-aceitar" })
  await expect(createCharge(sandbox, input(page.id))).rejects.toMatchObject({ code: "psp_unavailable" })
  await sandbox.control({ falhaApi: null })
  const later = { now: () => new Date(Date.now() + 60_000) }
  await failUnfinishedCharges(withSharedClock(sandbox, later))
  await removeDueCharges({ ...sandbox, clock: { now: () => new Date(Date.now() + 61_000) } })
  const [charge] = await chargesOf(page.id)
  expect(charge).toMatchObject({ status: "failed", removal: "done" })
})

test.for([
  ["a wrong sum", (code: string) => `${code.slice(0, -4)}0000`],
  ["nothing readable", () => "pix"],
] as const)("P15: a code with %s is never shown", async ([, spoil]) => {
  const page = await newPage()
  const lying: Psp = {
    ...sandbox.psp,
    createCharge: async (request) => ({ pixCode: spoil((await sandbox.psp.createCharge(request)).pixCode) }),
  }
  await expect(createCharge({ ...sandbox, psp: lying }, input(page.id))).rejects.toMatchObject({
    code: "psp_refused",
  })
  expect(await chargesOf(page.id)).toMatchObject([{ status: "failed", removal: "due", pix_code: null }])
})

test("P15: a code that asks for another amount is never shown", async () => {
  const page = await newPage()
  const lying: Psp = {
    ...sandbox.psp,
    createCharge: (request) => sandbox.psp.createCharge({ ...request, amountCents: 10_001 as Cents }),
  }
  await expect(createCharge({ ...sandbox, psp: lying }, input(page.id))).rejects.toMatchObject({
    code: "psp_refused",
  })
})

test("a refusal that can't heal is told the payer as such, with an alarm, and leaves nothing that can be paid", async () => {
  const page = await newPage()
  const lines: { alarm?: string }[] = []
  const log = createLog("error", { write: (line: string) => void lines.push(JSON.parse(line) as { alarm?: string }) })
  const refusing: Psp = {
    ...sandbox.psp,
    createCharge: () => Promise.reject(new PspError("rejected", "the provider answered 400 (CobOperacaoInvalida)")),
  }
  const ask = () => createCharge({ ...sandbox, psp: refusing, log }, input(page.id, { idempotencyKey: "key-refused" }))
  await expect(ask()).rejects.toMatchObject({ code: "psp_refused" })
  await expect(ask()).rejects.toMatchObject({ code: "psp_refused" })
  expect(lines.map(({ alarm }) => alarm)).toEqual(["charge_refused", "charge_refused"])
  const refused = { status: "failed", removal: "due", pix_code: null }
  expect(await chargesOf(page.id)).toMatchObject([refused, refused])
  // Once the operator has mended it, the same key works.
  const charge = await createCharge(sandbox, input(page.id, { idempotencyKey: "key-refused" }))
  expect(charge.status).toBe("pending")
})

test("what may pass by itself keeps its words, and raises no such alarm", async () => {
  const page = await newPage()
  const lines: { alarm?: string }[] = []
  const log = createLog("error", { write: (line: string) => void lines.push(JSON.parse(line) as { alarm?: string }) })
  for (const failure of ["unknown", "unavailable"] as const) {
    const silent: Psp = { ...sandbox.psp, createCharge: () => Promise.reject(new PspError(failure, "no answer")) }
    await expect(createCharge({ ...sandbox, psp: silent, log }, input(page.id))).rejects.toMatchObject({
      code: "psp_unavailable",
    })
  }
  expect(lines.filter(({ alarm }) => alarm !== undefined)).toEqual([])
})

test("a page that asks for data stores only what it asks for", async () => {
  const page = await newPage({ allowAnonymous: false })
  await sandbox.db
    .updateTable("charge_pages")
    .set({ require_email: false, require_phone: false })
    .where("id", "=", page.id)
    .execute()
  const payer = { name: " Juliana ", email: "ju@exemplo.com", cpf: "529.982.247-25", phone: "11987654321" }
  await createCharge(sandbox, input(page.id, { customerInfo: payer }))
  expect(await chargesOf(page.id)).toMatchObject([
    { payer_document: "52998224725", payer_email: null, payer_phone: null },
  ])
})

test.each(["+55 11 98765-4321", "5511987654321", "015 11 98765-4321", "(11) 98765-4321", "１１９８７６５４３２１"])(
  "what a payer types is stored in one form: %s",
  async (phone) => {
    const page = await newPage({ allowAnonymous: false })
    const payer = { name: "Ju", email: "ana@açaí.com.br", cpf: " 529.982.247-25", phone }
    await createCharge(sandbox, input(page.id, { customerInfo: payer }))
    expect(await chargesOf(page.id)).toMatchObject([
      { payer_document: "52998224725", payer_email: "ana@xn--aa-4iaz.com.br", payer_phone: "11987654321" },
    ])
  },
)

test.each([
  ["11.222.333/0001-81", "11222333000181"],
  [" 12.abc.345/01de-35 ", "12ABC34501DE35"],
])("a company gives its CNPJ in the place of a CPF: %s", async (cnpj, payer_document) => {
  const page = await newPage({ allowAnonymous: false })
  const payer = { name: "Padaria Sol", email: "sol@exemplo.com", cpf: "", cnpj, phone: "11987654321" }
  const { id } = await createCharge(sandbox, input(page.id, { customerInfo: payer, idempotencyKey: "empresa" }))
  const bare = { ...payer, cpf: null, cnpj: payer_document }
  const again = await createCharge(sandbox, input(page.id, { customerInfo: bare, idempotencyKey: "empresa" }))
  expect(again.id).toBe(id)
  expect(await chargesOf(page.id)).toMatchObject([{ payer_document }])
  const { charges } = await listSellersCharges(sandbox, { sellerId: page.sellerId }, { offset: 0, limit: 10 })
  expect(charges.map((charge) => charge.payer)).toMatchObject([{ cpf: null, cnpj: payer_document }])
})

test.for([
  [null, "Nome é obrigatório"],
  [{ name: "Sol", email: "sol@exemplo.com", cnpj: "", phone: "11987654321" }, "CNPJ é obrigatório"],
  ...["11222333000180", "12ABC34501DE36", "11111111111111", "52998224725"].map(
    (cnpj) => [{ name: "Sol", email: "sol@exemplo.com", cnpj, phone: "11987654321" }, "CNPJ inválido"] as const,
  ),
  [
    { name: "Sol", email: "sol@exemplo.com", cpf: "52998224725", cnpj: "11222333000181", phone: "11987654321" },
    "Informe o CPF ou o CNPJ, não os dois.",
  ],
  [{ name: "Ju" }, "E-mail é obrigatório"],
  [{ name: "Ju", email: "ju@exemplo.com" }, "CPF é obrigatório"],
  [{ name: "Ju", email: "ju@exemplo.com", cpf: "52998224725" }, "Telefone é obrigatório"],
  [{ name: "Ju", email: "ju@exemplo.com", cpf: "52998224724", phone: "11987654321" }, "CPF inválido"],
  [{ name: "Ju", email: "ju@exemplo.com", cpf: "11111111111", phone: "11987654321" }, "CPF inválido"],
  [{ name: "\u200b", email: "ju@exemplo.com", cpf: "52998224725", phone: "11987654321" }, "Nome é obrigatório"],
  [{ name: "\u2800", email: "ju@exemplo.com", cpf: "52998224725", phone: "11987654321" }, "Nome é obrigatório"],
  [{ name: "Ju", email: "ju@exemplo.com", cpf: "52998224725", phone: "abc" }, "Informe o telefone com DDD"],
  [{ name: "Ju", email: "ju@exemplo.com", cpf: "52998224725", phone: "987654321" }, "Informe o telefone com DDD"],
  [{ name: "Ju", email: "ju@exemplo.com", cpf: "52998224725", phone: "119876543210" }, "Informe o telefone com DDD"],
  [{ name: "Ju", email: "ju@exemplo.com", cpf: "52998224725", phone: "1".repeat(200) }, "Informe o telefone com DDD"],
  ...["20987654321", "55119876543", "11187654321", "1187654321", "+34 911 234 567"].map(
    (phone) =>
      [{ name: "Ju", email: "ju@exemplo.com", cpf: "52998224725", phone }, "Informe o telefone com DDD"] as const,
  ),
  ...["joão@gmail.com", "ana@gmail", "ana..b@gmail.com", ".ana@gmail.com", "ana@localhost"].map(
    (email) => [{ name: "Ju", email, cpf: "52998224725", phone: "11987654321" }, "E-mail inválido"] as const,
  ),
  [
    { name: "Ju", email: "ju@exemplo.com", cpf: "52998224725", phone: "11987654321 ramal" },
    "Informe o telefone com DDD",
  ],
] as const)("payer's data %j is refused: %s", async ([customerInfo, message]) => {
  const page = await newPage({ allowAnonymous: false })
  await expect(createCharge(sandbox, input(page.id, { customerInfo }))).rejects.toMatchObject({
    code: "validation_failed",
    shownMessage: message,
  })
  expect(await chargesOf(page.id)).toEqual([])
})

test("P12: an anonymous page drops whatever the payer sends", async () => {
  const page = await newPage()
  await createCharge(sandbox, input(page.id, { customerInfo: { name: "Ju", cpf: "52998224725" } }))
  expect(await chargesOf(page.id)).toMatchObject([{ payer_name: null, payer_document: null }])
})

test("cancelling the page ends its codes here and at the bank", async () => {
  const page = await newPage()
  const charge = await createCharge(sandbox, input(page.id))
  await cancelChargePage(sandbox, { id: page.id, sellerId: page.sellerId })
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("cancelado")
  await removeDueCharges(sandbox)
  expect((await sandbox.pay(charge.pixCode)).status).toBe(422)
  await expect(createCharge(sandbox, input(page.id))).rejects.toMatchObject({ code: "public_charge_page_not_found" })
})

test("a payment faster than the seller's cancellation is credited, not lost", async () => {
  const page = await newPage()
  const charge = await createCharge(sandbox, input(page.id))
  expect((await sandbox.pay(charge.pixCode)).status).toBe(201)
  await cancelChargePage(sandbox, { id: page.id, sellerId: page.sellerId })
  await removeDueCharges(sandbox)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
})

test("a changed amount ends the open codes; new ones ask for the new amount", async () => {
  const page = await newPage()
  const old = await createCharge(sandbox, input(page.id))
  await updateChargePage(sandbox, { id: page.id, sellerId: page.sellerId, changes: { amountCents: 100 as Cents } })
  expect(await getPaymentStatus(sandbox, old.id)).toBe("cancelado")
  const fresh = await createCharge(sandbox, input(page.id))
  expect(fresh).toMatchObject({ amountCents: 100, feeCents: 15 })
})

test("a page that ends during the request to the bank shows no code", async () => {
  const page = await newPage()
  const slow: Psp = {
    ...sandbox.psp,
    async createCharge(request) {
      const answer = await sandbox.psp.createCharge(request)
      await cancelChargePage(sandbox, { id: page.id, sellerId: page.sellerId })
      return answer
    },
  }
  await expect(createCharge({ ...sandbox, psp: slow }, input(page.id))).rejects.toMatchObject({
    code: "public_charge_page_not_found",
  })
  expect(await chargesOf(page.id)).toMatchObject([{ status: "failed", removal: "due" }])
})

/** Saves the page with another amount whenever the step begins. */
function savedMeanwhile(page: { id: string; sellerId: string }, { times }: { times: number }) {
  let saves = 0
  return async () => {
    if (saves === times) return
    saves += 1
    await updateChargePage(sandbox, {
      id: page.id,
      sellerId: page.sellerId,
      changes: { amountCents: (20_000 + saves) as Cents },
    })
  }
}

function depsWith(step: "store" | "bank", save: () => Promise<void>): Sandbox {
  const { psp, chargeSteps } = sandbox
  if (step === "store") {
    return {
      ...sandbox,
      chargeSteps: { ...chargeSteps, store: (draft) => save().then(() => chargeSteps.store(draft)) },
    }
  }
  return { ...sandbox, psp: { ...psp, createCharge: (request) => psp.createCharge(request).finally(save) } }
}

test.for(["store", "bank"] as const)("a payer who asks while the seller saves (%s) gets the new Pix", async (step) => {
  const page = await newPage()
  const deps = depsWith(step, savedMeanwhile(page, { times: 1 }))
  const charge = await createCharge(deps, input(page.id, { idempotencyKey: "key-saved" }))
  expect(charge).toMatchObject({ status: "pending", amountCents: 20_001 })
  expect(charge.pixCode).toContain("5406200.01")
  const again = await createCharge(sandbox, input(page.id, { idempotencyKey: "key-saved" }))
  expect(again.id).toBe(charge.id)
  const others = (await chargesOf(page.id)).filter(({ id }) => id !== charge.id)
  expect(others).toMatchObject(step === "bank" ? [{ status: "failed", removal: "due" }] : [])
})

test("ten payers who ask while the seller saves ten times each get a Pix of an amount that was saved", async () => {
  const page = await createPage(sandbox, { sellerId: await createSeller(sandbox), maxPayments: null })
  for (let amountCents = 301; amountCents <= 310; amountCents += 1) {
    const changes = { amountCents: amountCents as Cents }
    const [charge] = await Promise.all([
      createCharge(sandbox, input(page.id)),
      updateChargePage(sandbox, { id: page.id, sellerId: page.sellerId, changes }),
    ])
    const isNew = charge.amountCents === amountCents
    expect(isNew || (await getPaymentStatus(sandbox, charge.id)) === "cancelado").toBe(true)
  }
})

test("a page that never stops changing is said to change", async () => {
  const page = await newPage()
  const deps = depsWith("bank", savedMeanwhile(page, { times: 100 }))
  await expect(createCharge(deps, input(page.id))).rejects.toMatchObject({ code: "charge_page_changed" })
})

test("a page completed during the request to the bank reads as already paid", async () => {
  const page = await newPage()
  const first = await createCharge(sandbox, input(page.id))
  const { psp } = sandbox
  const slow: Psp = {
    ...psp,
    async createCharge(request) {
      const answer = await psp.createCharge(request)
      await bookPayments(sandbox, [receiptOf(first.txid, first.amountCents)])
      return answer
    },
  }
  await expect(createCharge({ ...sandbox, psp: slow }, input(page.id))).rejects.toMatchObject({
    code: "charge_page_already_paid",
  })
})

test("a code that the bank made after its page ended is removed, even where a removal came before the bank's answer", async () => {
  const page = await newPage()
  const { psp } = sandbox
  const slow: Psp = {
    ...psp,
    async createCharge(request) {
      await cancelChargePage(sandbox, { id: page.id, sellerId: page.sellerId })
      await removeDueCharges(sandbox)
      return psp.createCharge(request)
    },
  }
  await expect(createCharge({ ...sandbox, psp: slow }, input(page.id))).rejects.toMatchObject({
    code: "public_charge_page_not_found",
  })
  await removeDueCharges({ ...sandbox, clock: { now: () => new Date(Date.now() + 1) } })
  const [charge] = await chargesOf(page.id)
  expect(charge).toMatchObject({ status: "failed", removal: "done" })
  const books = (await (await fetch(`${sandbox.simulatorUrl}/simulador/api/livros`)).json()) as BankBooks
  expect(books.cobrancas.find(({ txid }) => txid === charge?.txid)?.status).toBe("REMOVIDA_PELO_USUARIO_RECEBEDOR")
})

test("a code never outlives its page", async () => {
  const page = await newPage()
  const endsAt = new Date(Date.now() + 600_000)
  await sandbox.db.updateTable("charge_pages").set({ expires_at: endsAt }).where("id", "=", page.id).execute()
  const charge = await createCharge(sandbox, input(page.id))
  expect(charge.expiresAt).toEqual(endsAt)
  const afterwards = { now: () => new Date(endsAt.getTime() + 5_000) }
  expect(await getPaymentStatus({ ...sandbox, clock: afterwards }, charge.id)).toBe("expirado")
  await expect(createCharge({ ...sandbox, clock: afterwards }, input(page.id))).rejects.toMatchObject({
    code: "public_charge_page_not_found",
  })
})

test("an unknown or malformed id has no status", async () => {
  await expect(getPaymentStatus(sandbox, "x")).rejects.toMatchObject({
    code: "payment_not_found",
  })
})
