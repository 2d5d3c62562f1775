import { afterAll, beforeAll, expect, test } from "vitest"
import { embeddedUrl, query, readBankBooks } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { administrator } from "./installation.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { createPix, expectStatus, netOf, pay, readBalanceCents, type Shop, sendJson, setFaults } from "./shop.ts"
import {
  ask,
  hearsOf,
  linkTo,
  logInAgain,
  openStrictShop,
  openTwoAdministrators,
  type Person,
  press,
  slowestHearingMs,
} from "./strict-people.ts"

/** Longer than a stop of the account takes, so that it comes while the bank settles. */
const settlesAfterMs = 8_000

const frozen = "Os saques da sua conta estão congelados"
const newPlace = "Um destino novo para os seus saques"

let workshop: Workshop
let dataDir: string
let server: ServerProcess
let url: string
let chief: Person
let deputy: Person
/** Payouts that may leave, as the bank's books must show in the end. */
const allowed: { payeeKey: string; amountCents: number }[] = []

beforeAll(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
  const env = { PROTECTION: "strict", ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password }
  server = await workshop.startServer({ dataDir, env })
  url = server.url
  ;[chief, deputy] = await openTwoAdministrators(url)
})

afterAll(() => workshop.close())

/** A shop that was paid so much. */
async function paidShop(reais: number): Promise<Shop> {
  const shop = await openStrictShop(url, reais)
  await pay(url, await createPix(url, shop))
  await eventually(
    () => readBalanceCents(url, shop),
    (balance) => balance === netOf(reais * 100),
  )
  return shop
}

async function withdraw(shop: Shop, amount: number, pixKey: string): Promise<string> {
  const asked = await ask(url, shop, "POST", "withdrawals", { amount, paymentMethod: "pix", pixKey })
  return (expectStatus(asked, 201).data as { withdrawal: { _id: string } }).withdrawal._id
}

const approve = (admin: Person, id: string) => ask(url, admin, "PATCH", `admin/withdrawals/${id}/approve`)

async function rowOf(id: string) {
  const sql = "select status, sending_at as sending, hold_reasons as holds from withdrawals where id = $1"
  const [row] = await query<{ status: string; sending: Date | null; holds: string[] }>(
    await embeddedUrl(dataDir),
    sql,
    [id],
  )
  return row
}

async function untilStatus(id: string, status: string): Promise<void> {
  await eventually(
    () => rowOf(id),
    (row) => row?.status === status,
  )
}

async function titlesOf(person: Person): Promise<string[]> {
  const { data } = expectStatus(await ask(url, person, "GET", "users/me/notices"), 200)
  return (data as { notices: { title: string }[] }).notices.map(({ title }) => title.replaceAll("\u00a0", " "))
}

test("a new destination is told within ten seconds, waits, and 'Não fui eu' ends it while it is pending", async () => {
  const shop = await paidShop(1_000)
  const { email } = shop
  const asked = await hearsOf(
    url,
    [
      { email, subject: newPlace },
      { email: chief.email, subject: "Saque solicitado: R$ 100,00" },
      { email: deputy.email, subject: "Saque solicitado: R$ 100,00" },
    ],
    () => withdraw(shop, 100, "ladrao@exemplo.com.br"),
  )
  const path = /\/not-me\/[\w-]{43}/.exec(asked.texts[0] ?? "")?.[0] ?? ""
  expect(await approve(chief, asked.done)).toMatchObject({ status: 409, body: { code: "withdrawal_held" } })

  const stopped = await hearsOf(
    url,
    [
      { email, subject: frozen },
      { email: chief.email, subject: "Saques congelados: Ana Souza" },
      { email: deputy.email, subject: "Saques congelados: Ana Souza" },
    ],
    () => press(url, path),
  )
  expect(stopped.done.status).toBe(200)
  expect(stopped.done.text).toContain("1 saque foi cancelado")
  expect((await ask(url, shop, "GET", "users/me")).status).toBe(401)
  const again = await logInAgain(url, shop)
  expect(await readBalanceCents(url, again)).toBe(netOf(100_000))
  expect(await titlesOf(again)).toEqual(expect.arrayContaining([frozen, newPlace]))
  expect((await approve(chief, asked.done)).body.code).toBe("withdrawal_not_pending")
})

test("of two administrators the second is told of what the first wants, and all of what came of it", async () => {
  expectStatus(await ask(url, chief, "POST", "settings/initialize"), 200)
  const change = (admin: Person) => ask(url, admin, "PATCH", "settings/NEW_DESTINATION_HOLD_HOURS", { value: 0 })
  const wished = await hearsOf(
    url,
    [{ email: deputy.email, subject: "Espera a sua aprovação: alterar configuração" }],
    () => change(chief),
  )
  expect(wished.done).toMatchObject({ status: 200, body: { data: { pending: true } } })
  const subject = "Configuração alterada: NEW_DESTINATION_HOLD_HOURS"
  const told = [chief, deputy].map(({ email }) => ({ email, subject }))
  expect((await hearsOf(url, told, () => change(deputy))).done.status).toBe(200)

  const shop = await paidShop(10_000)
  const { email } = shop
  const id = await withdraw(shop, 6_000, "ana@exemplo.com.br")
  const half = await hearsOf(url, [{ email: deputy.email, subject: "Espera a sua aprovação: aprovar saque" }], () =>
    approve(chief, id),
  )
  expect(half.done).toMatchObject({ body: { data: { withdrawal: { status: "pending", approvals: 1 } } } })
  expect((await approve(chief, id)).body.code).toBe("second_approver_needed")
  expect(await rowOf(id)).toMatchObject({ status: "pending", sending: null })
  const both = await hearsOf(url, [{ email, subject: "Saque pago: R$ 6.000,00" }], async () => {
    const answer = await approve(deputy, id)
    await untilStatus(id, "completed")
    return answer
  })
  expect(both.done).toMatchObject({ body: { data: { withdrawal: { status: "approved", approvals: 2 } } } })
  allowed.push({ payeeKey: "ana@exemplo.com.br", amountCents: 600_000 })
})

test("while the bank settles a payout 'Não fui eu' cancels all others, and says that this one is gone", async () => {
  const shop = await paidShop(1_000)
  const { email } = shop
  await setFaults(url, { liquidacaoMs: settlesAfterMs })
  const going = await withdraw(shop, 100, "ladrao@exemplo.com.br")
  const waiting = await withdraw(shop, 200, "ladrao@exemplo.com.br")
  const path = await linkTo(url, email, "not-me")
  const stopped = await hearsOf(url, [{ email, subject: frozen }], async () => {
    expectStatus(await approve(chief, going), 200)
    await eventually(
      () => rowOf(going),
      (row) => row?.sending instanceof Date,
    )
    return press(url, path)
  })
  expect(stopped.done.text).toContain("1 saque foi cancelado")
  expect(stopped.done.text).toContain("1 saque já tinha ido para pagamento")
  expect(stopped.texts[0]).toContain("Pelo menos um saque já tinha ido para pagamento")
  expect(await rowOf(waiting)).toMatchObject({ status: "cancelled" })
  allowed.push({ payeeKey: "ladrao@exemplo.com.br", amountCents: 10_000 })
  await hearsOf(url, [{ email, subject: "Saque pago: R$ 100,00" }], () => untilStatus(going, "completed"))
  await setFaults(url, { liquidacaoMs: 0 })
  expect(await readBalanceCents(url, await logInAgain(url, shop))).toBe(netOf(100_000) - 10_000)
})

test("after a recovery what was asked for before waits, too, and the owner hears of both", async () => {
  const shop = await paidShop(1_000)
  const { email } = shop
  const id = await withdraw(shop, 50, "ladrao@exemplo.com.br")
  expectStatus(await sendJson(`${url}/api/v1/auth/forgotPassword`, "POST", { email }), 200)
  const link = await linkTo(url, email, "reset-password")
  const body = { password: "a senha do ladrao 7", passwordConfirm: "a senha do ladrao 7" }
  const reset = await hearsOf(
    url,
    [
      { email, subject: "Sua senha foi alterada" },
      { email, subject: "Saque em espera: R$ 50,00" },
    ],
    () => sendJson(`${url}/api/v1/auth/resetPassword/${link.split("/").at(-1)}`, "PATCH", body),
  )
  expect(reset.done.status).toBe(200)
  expect(await approve(chief, id)).toMatchObject({ status: 409, body: { code: "withdrawal_held" } })
  expect(await rowOf(id)).toMatchObject({ status: "pending", holds: ["recovery"] })
  const path = /\/not-me\/[\w-]{43}/.exec(reset.texts[0] ?? "")?.[0] ?? ""
  await hearsOf(url, [{ email, subject: frozen }], () => press(url, path))
  expect(await rowOf(id)).toMatchObject({ status: "cancelled", sending: null })
})

test("the bank paid what two people or one was allowed to, and nothing else; our books agree", async () => {
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })
  server.kill("SIGTERM")
  await server.exited
  const paid = readBankBooks(dataDir).payouts.map(({ payeeKey, amountCents }) => ({ payeeKey, amountCents }))
  report(`${paid.length} payouts at the bank; everybody was told within ${slowestHearingMs()} ms`)
  expect(paid).toEqual(allowed)
})
