import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { auditOf, newPerson, type Person } from "../../../test-support/admins.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"
import { openTwoAdmins, type TwoAdmins } from "../../../test-support/two-admins.ts"
import { isHolder } from "./rules.ts"

describe("the holder whom the bank's app shows", () => {
  const ana = { name: "Ana Paula de Souza", cpf: "52998224725", cnpj: "11222333000181" }
  const shown = (name: string, document: string) => isHolder({ name, document }, ana)

  test("is the seller by their masked document and name", () => {
    for (const [name, document] of [
      ["ANA PAULA DE SOUZA", "***.982.247-**"],
      ["Ana P. Souza", "•••.982.247-••"],
      ["Ana Souza", "***.982.247-25"],
      ["ANA PAULA DE SOU", "xxx982247xx"],
      ["Doces da Ana Ltda", "11.222.333/0001-81"],
    ] as const) {
      expect([name, document, shown(name, document)]).toEqual([name, document, true])
    }
  })

  test("is nobody's by a name alone, another document, too few digits, or letters that only look alike", () => {
    for (const [name, document] of [
      ["Ana Paula de Souza", "***.982.248-**"],
      ["Ana Paula de Souza", "***.***.247-**"],
      ["Ana Paula de Souza", ""],
      ["Ana Paula de Souza", "982247"],
      ["Аna Paula de Souza", "***.982.247-**"],
      ["Ana", "***.982.247-**"],
      ["Ana Lima", "***.982.247-**"],
      ["Ana Paula Souza Lima", "***.982.247-**"],
      ["Doces da Ana Ltda", "11.222.333/0001-99"],
    ] as const) {
      expect([name, document, shown(name, document)]).toEqual([name, document, false])
    }
  })

  test("is unknown where the seller gave no document", () => {
    expect(
      isHolder({ name: "Ana Souza", document: "***.982.247-**" }, { name: "Ana Souza", cpf: "", cnpj: null }),
    ).toBe(false)
  })
})

describe("paid by hand", () => {
  let bank: Sandbox
  let site: TestApp
  let carla: Person
  let sellers = 0

  beforeAll(async () => {
    bank = await openSandbox()
    site = await openTestApp({ psp: { ...bank.psp, payouts: null } })
    carla = await newPerson(site, "carla@tilinta.example", "admin")
  })

  afterEach(() => saveSetting(site.db, "OWN_NAME_ONLY", ""))

  afterAll(async () => {
    expect(await verifyLedger(site.db)).toEqual([])
    await site.close()
    await bank.close()
  })

  async function newSeller(): Promise<Person> {
    sellers += 1
    const seller = await newPerson(site, `ana${sellers}@loja.example`)
    await site.db
      .updateTable("users")
      .set({ name: "Ana Souza", cpf: "52998224725" })
      .where("id", "=", seller.id)
      .execute()
    await giveBalance(site.db, seller.id, 100_000)
    return seller
  }

  const call = (method: "GET" | "POST" | "PATCH", path: string, { token }: Person, body?: object) =>
    site.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })
  const ask = (seller: Person, body: object = {}) =>
    call("POST", "withdrawals", seller, { amount: 10, paymentMethod: "pix", pixKey: seller.email, ...body })
  const requested = async (seller: Person, body: object = {}) =>
    (await ask(seller, body)).json.data.withdrawal._id as string
  const approve = (id: string) => call("PATCH", `admin/withdrawals/${id}/approve`, carla)
  const claim = (id: string, body: object = {}) => call("POST", `admin/withdrawals/${id}/claim`, carla, body)
  const complete = (id: string) => call("PATCH", `admin/withdrawals/${id}/complete`, carla)
  const shown = async (id: string) => (await call("GET", `admin/withdrawals/${id}`, carla)).json.data.withdrawal
  const say = (seller: Person, destinationId: string, owner: string, reason = "Conferido") =>
    call("PATCH", `admin/users/${seller.id}/destinations/${destinationId}`, carla, { owner, reason })

  async function approved(seller: Person, body: object = {}): Promise<string> {
    const id = await requested(seller, body)
    await approve(id)
    return id
  }

  test("a key says itself whose it is when it is a document", async () => {
    const seller = await newSeller()
    const owners = new Map<string, string>()
    for (const pixKey of ["529.982.247-25", "11144477735", seller.email]) {
      owners.set(pixKey, (await shown(await requested(seller, { pixKey }))).owner)
    }
    expect([...owners.values()]).toEqual(["own", "other", "unknown"])
    const listed = (await call("GET", "users/me/destinations", seller)).json.data.destinations
    expect(listed.map(({ owner }: { owner: string }) => owner).toSorted()).toEqual(["other", "own", "unknown"])
  })

  test("the holder is asked for once, where it is to be known, and compared", async () => {
    const seller = await newSeller()
    const id = await approved(seller)
    expect((await claim(id)).json.data.asksHolder).toBe(false)
    await saveSetting(site.db, "OWN_NAME_ONLY", "warn")
    expect((await claim(id)).json.data).toMatchObject({ asksHolder: true, withdrawal: { owner: "unknown" } })
    const compared = await claim(id, { holder: { name: "ANA SOUZA", document: "***.982.247-**" } })
    expect(compared.json.data).toMatchObject({ asksHolder: false, withdrawal: { owner: "confirmed_by_bank" } })
    // No second word of the bank's changes a first one.
    await claim(id, { holder: { name: "Beto Lima", document: "***.111.222-**" } })
    expect((await shown(id)).owner).toBe("confirmed_by_bank")
    expect((await claim(await approved(seller))).json.data.asksHolder).toBe(false)
  })

  test("another's name stops the payment where only the owner is paid, and warns elsewhere", async () => {
    for (const [mode, status] of [
      ["warn", 200],
      ["on", 409],
    ] as const) {
      await saveSetting(site.db, "OWN_NAME_ONLY", mode)
      const seller = await newSeller()
      const id = await approved(seller)
      const compared = await claim(id, { holder: { name: "Ana Souza", document: "***.111.222-**" } })
      expect([mode, compared.status]).toEqual([mode, status])
      expect(await shown(id)).toMatchObject({ owner: "other", waitsBecause: mode === "on" ? "not_own" : null })
      expect([mode, (await complete(id)).status]).toEqual([mode, status])
      const again = await ask(seller)
      expect([mode, again.json.code ?? null]).toEqual([mode, mode === "on" ? "destination_not_own" : null])
    }
  })

  test("a word between approval and payment counts: neither claimed nor completed, but given back", async () => {
    const seller = await newSeller()
    await saveSetting(site.db, "OWN_NAME_ONLY", "on")
    const id = await approved(seller)
    const { destinationId } = await shown(id)
    expect((await say(seller, destinationId, "other", "O banco mostrou outro nome")).status).toBe(200)
    expect((await claim(id)).json.code).toBe("destination_not_own")
    expect((await complete(id)).json.code).toBe("destination_not_own")
    const back = await call("PATCH", `admin/withdrawals/${id}/return`, carla, { reason: "Conta de outra pessoa" })
    expect(back.status).toBe(200)
    await say(seller, destinationId, "unknown", "Engano")
    expect((await ask(seller)).status).toBe(201)
  })

  test("a new name of the seller's, another spelling of the bank or of the key pays nobody else", async () => {
    await saveSetting(site.db, "OWN_NAME_ONLY", "on")
    const seller = await newSeller()
    const id = await approved(seller)
    await call("PATCH", "users/updateMe", seller, { name: "Beto Lima" })
    await claim(id, { holder: { name: "Beto Lima", document: "***.111.222-**" } })
    expect((await complete(id)).json.code).toBe("destination_not_own")
    expect((await ask(seller, { pixKey: seller.email.toUpperCase() })).json.code).toBe("destination_not_own")

    const transfer = { paymentMethod: "bank_transfer", pixKey: null }
    const account = { agency: "1234", account: "56789-0", accountType: "corrente" }
    const spelled = (bank: string, changes: object = {}) => ({
      ...transfer,
      bankData: { bank, ...account, ...changes },
    })
    const toAccount = await requested(seller, spelled("Banco da Esquina"))
    await say(seller, (await shown(toAccount)).destinationId, "other")
    expect((await approve(toAccount)).json.code).toBe("destination_not_own")
    for (const body of [spelled("Bco. da Esquina S.A."), spelled("Banco da Esquina", { account: "0056789-0" })]) {
      expect((await ask(seller, body)).json.code).toBe("destination_not_own")
    }
  })

  test("another's CNPJ that becomes the shop's after the request stays another's", async () => {
    const seller = await newSeller()
    const id = await requested(seller, { pixKey: "11222333000181" })
    site.clock.pass(1)
    expect((await call("PATCH", "users/me/shop", seller, { name: "Doces", document: "11222333000181" })).status).toBe(
      200,
    )
    await saveSetting(site.db, "OWN_NAME_ONLY", "on")
    expect((await shown(id)).owner).toBe("other")
    expect((await approve(id)).json.code).toBe("destination_not_own")
    expect((await shown(await requested(seller, { pixKey: "11222333000181" }))).owner).toBe("own")
  })

  test("two words at once, and the same twice, are one; the seller is told, and the audit says who", async () => {
    const seller = await newSeller()
    const { destinationId } = await shown(await requested(seller))
    const replies = await Promise.all([1, 2, 3].map(() => say(seller, destinationId, "confirmed_by_person")))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const records = (await auditOf(site, seller.id)).filter(({ action }) => action === "destination.owner_said")
    expect(records).toMatchObject([
      {
        actor_id: carla.id,
        before: { owner: "unknown" },
        after: { owner: "confirmed_by_person", reason: "Conferido" },
      },
    ])
    const notices = (await call("GET", "users/me/notices", seller)).json.data.notices
    expect(
      notices.filter(({ title }: { title: string }) => title === "O titular de um destino dos seus saques"),
    ).toHaveLength(1)
  })

  test("a destination that was removed and is used again is unknown again, but another's stays another's", async () => {
    const seller = await newSeller()
    for (const [word, then] of [
      ["confirmed_by_person", "unknown"],
      ["other", "other"],
    ] as const) {
      const { destinationId } = await shown(await requested(seller))
      await say(seller, destinationId, word)
      site.clock.pass(1)
      await site.call("DELETE", `/api/v1/users/me/destinations/${destinationId}`, { token: seller.token })
      site.clock.pass(1)
      expect((await shown(await requested(seller))).owner).toBe(then)
    }
  })

  test("the word of nobody, about oneself, or about another seller's destination is refused", async () => {
    const [seller, other] = [await newSeller(), await newSeller()]
    const { destinationId } = await shown(await requested(seller))
    expect((await say(other, destinationId, "other")).status).toBe(404)
    expect((await say(seller, destinationId, "confirmed_by_bank")).status).toBe(400)
    expect((await say(seller, destinationId, "other", " ")).status).toBe(422)
    expect((await say(carla, destinationId, "other")).json.code).toBe("own_account")
    const byItself = await call("PATCH", `admin/users/${seller.id}/destinations/${destinationId}`, seller, {
      owner: "other",
      reason: "x",
    })
    expect(byItself.status).toBe(403)
  })

  test("what is above the largest Pix goes to a bank account, and is said before", async () => {
    await saveSetting(site.db, "MAX_PIX_PAYOUT", 10)
    const seller = await newSeller()
    expect((await ask(seller)).status).toBe(201)
    const refused = await ask(seller, { amount: 10.01 })
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      [{ path: "amount", message: "Acima de R$ 10,00 o saque vai por TED: informe uma conta bancária." }],
    ])
    const bankData = { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" }
    expect((await ask(seller, { amount: 10.01, paymentMethod: "bank_transfer", bankData })).status).toBe(201)
    expect((await site.call("GET", "/api/v1/public/settings/MAX_PIX_PAYOUT")).json.data.setting.value).toBe(10)
    await saveSetting(site.db, "MAX_PIX_PAYOUT", 0)
  })
})

describe("with strict protection", () => {
  let plan: TwoAdmins

  beforeAll(async () => {
    plan = await openTwoAdmins()
  })

  afterAll(() => plan.close())

  test("one person may distrust a destination; trusting it takes two", async () => {
    const { chief, deputy, act } = plan
    const seller = await plan.seller()
    const id = await plan.requested(seller, 10)
    const { destinationId, owner } = (await act(chief, "GET", `/admin/withdrawals/${id}`)).json.data.withdrawal
    expect(owner).toBe("unknown")
    const path = `/admin/users/${seller.id}/destinations/${destinationId}`
    expect((await act(chief, "PATCH", path, { owner: "other", reason: "Outro nome" })).json.data).toEqual({
      owner: "other",
    })
    const word = { owner: "confirmed_by_person", reason: "Comprovante" }
    expect((await act(chief, "PATCH", path, word)).json.data).toMatchObject({
      pending: true,
      approval: { act: "destination.owner" },
    })
    const ownerOf = async () => (await act(chief, "GET", `/admin/withdrawals/${id}`)).json.data.withdrawal.owner
    expect(await ownerOf()).toBe("other")
    expect((await act(chief, "PATCH", path, word)).json.code).toBe("second_approver_needed")
    expect((await act(deputy, "PATCH", path, word)).json.data).toEqual({ owner: "confirmed_by_person" })
    expect(await ownerOf()).toBe("confirmed_by_person")
  })

  test("the job that sends asks once more, right before the money leaves", async () => {
    const seller = await plan.seller()
    await saveSetting(plan.db, "OWN_NAME_ONLY", "on")
    const id = await plan.requested(seller, 10)
    await plan.approve(plan.chief, id)
    const { destinationId } = (await plan.act(plan.chief, "GET", `/admin/withdrawals/${id}`)).json.data.withdrawal
    const path = `/admin/users/${seller.id}/destinations/${destinationId}`
    await plan.act(plan.chief, "PATCH", path, { owner: "other", reason: "Outro nome" })
    expect(await plan.left()).toEqual([])
    expect(await plan.statusOf(id)).toBe("approved")
    await plan.act(plan.chief, "PATCH", path, { owner: "unknown", reason: "Engano" })
    await plan.act(plan.deputy, "PATCH", path, { owner: "unknown", reason: "Engano" })
    plan.clock.pass(60)
    expect(await plan.left()).toHaveLength(1)
    await saveSetting(plan.db, "OWN_NAME_ONLY", "")
  })
})
