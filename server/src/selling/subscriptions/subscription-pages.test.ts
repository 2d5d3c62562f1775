import { afterAll, expect, test } from "vitest"
import { saoPauloDay } from "#kit/clock"
import { codesOf, times } from "../../../test-support/races.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@academia.example")

afterAll(() => site.close())

const api = async (method: string, path: string, body?: object) =>
  (await site.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })).json
const today = () => saoPauloDay(site.clock.now())

const post = (url: string, fields: Record<string, string> = {}, headers = {}) =>
  site.app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

const bruno = { name: "Bruno Lima", document: "529.982.247-25", email: "bruno@cliente.example" }

async function planOf(facts: object = {}) {
  const body = { title: "Plano mensal", description: "Aulas <todo> dia", amount: 99.9, period: "monthly", ...facts }
  return (await api("POST", "plans", body)).data.plan as {
    _id: string
    slug: string
    link: string
    subscriptions: number
  }
}
const subscriptionsOf = async (planId: string) =>
  (await api("GET", `subscriptions?planId=${planId}`)).data.subscriptions
const mailsTo = (address: string) => site.db.selectFrom("mails").selectAll().where("to_address", "=", address).execute()
/** One page, whatever is known of whom. */
function expectNoLink(answer: Awaited<ReturnType<typeof post>> | undefined): void {
  expect(answer).toMatchObject({
    statusCode: 200,
    headers: expect.not.objectContaining({ location: expect.anything() }),
  })
  expect(answer?.payload).toContain(
    "Se há um e-mail no seu cadastro, o link da assinatura foi para ele. Se não chegar, fale com quem cobra.",
  )
  expect(answer?.payload).not.toMatch(/\/checkout\/|\/assinatura\//)
}
const linkOf = (link: string) => `/assinatura/${link.split("/").at(-1)}`

test("a customer subscribes by the page of a plan, and is led to the first invoice", async () => {
  const plan = await planOf()
  const path = `/assinar/${plan.slug}`
  expect(plan.link.endsWith(path)).toBe(true)
  const page = await site.call("GET", path)
  for (const shown of ["Plano mensal", "R$ 99,90 por mês", "Aulas &lt;todo&gt; dia"]) {
    expect(page.text.replaceAll("\u00a0", " ")).toContain(shown)
  }

  const sent = await post(path, bruno)
  expect(sent.statusCode).toBe(303)
  const [subscription] = await subscriptionsOf(plan._id)
  expect(subscription).toMatchObject({
    status: "active",
    issued: 1,
    firstDueDate: today(),
    planId: plan._id,
    amount: 99.9,
  })
  const { cycles } = (await api("GET", `subscriptions/${subscription._id}/cycles`)).data
  expect(cycles).toMatchObject([{ number: 1, invoice: { dueDate: today(), subscriptionId: subscription._id } }])
  expect(cycles[0].invoice.link.endsWith(sent.headers.location)).toBe(true)
  const [mail] = await mailsTo(bruno.email)
  expect(mail?.content).toMatchObject({ kind: "subscription", change: "started", url: subscription.link })
})

test("twice, and many at once, is one subscription and one invoice", async () => {
  const plan = await planOf({ title: "Plano duplo" })
  const path = `/assinar/${plan.slug}`
  const raul = { name: "Raul Reis", document: "987.654.321-00", email: "raul@cliente.example" }
  const sent = await times(5, () => post(path, raul))
  expect(codesOf(sent)).toEqual({ ok: 5 })
  const places = sent.map((one) => (one.status === "fulfilled" ? one.value.headers.location : ""))
  expect(new Set(places)).toEqual(new Set([expect.stringMatching(/^\/checkout\//)]))
  expect(await subscriptionsOf(plan._id)).toHaveLength(1)

  expectNoLink(await post(path, { ...raul, email: "outro@curioso.example" }))
  site.clock.pass(3600)
  expectNoLink(await post(path, { ...raul, email: "outro@curioso.example" }))
  expectNoLink(await post(path, raul))
  expect(await subscriptionsOf(plan._id)).toHaveLength(1)
  expect(await mailsTo("outro@curioso.example")).toEqual([])
})

test("whoever types the document of a known customer gets no link: it is mailed to the address that is known", async () => {
  const plan = await planOf({ title: "Plano de quem é conhecido" })
  const vera = { name: "Vera Nunes", document: "11144477735", email: "vera@cliente.example" }
  expect((await site.call("POST", "/api/v1/customers", { token, body: vera })).status).toBe(201)
  site.clock.pass(1)
  const stranger = { name: "Outra Pessoa", document: vera.document, email: "estranha@curiosa.example" }
  const sent = await times(3, () => post(`/assinar/${plan.slug}`, { ...stranger, method: "automatic" }))
  for (const one of sent) expectNoLink(one.status === "fulfilled" ? one.value : undefined)
  expectNoLink(await post(`/assinar/${plan.slug}`, vera))
  expect(await subscriptionsOf(plan._id)).toMatchObject([{ customer: vera }])
  const [{ link }] = await subscriptionsOf(plan._id)
  expect(await mailsTo(vera.email)).toMatchObject([{ content: { change: "started", url: link } }])
  expect(await mailsTo(stranger.email)).toEqual([])
})

test("a known customer without an e-mail gets no subscription that nobody could open, and reads the same page", async () => {
  const plan = await planOf({ title: "Plano sem e-mail" })
  const body = { name: "Caio Melo", document: "12345678909" }
  expect((await site.call("POST", "/api/v1/customers", { token, body })).status).toBe(201)
  const sent = await post(`/assinar/${plan.slug}`, { ...body, email: "caio@cliente.example" })
  expectNoLink(sent)
  expect(await subscriptionsOf(plan._id)).toEqual([])
  expect(await mailsTo("caio@cliente.example")).toEqual([])
})

test("what is missing or wrong is said at its field, and nothing is stored", async () => {
  const plan = await planOf({ title: "Plano exigente" })
  const answer = await post(`/assinar/${plan.slug}`, { name: "Rita", document: "111", email: "" })
  expect(answer.statusCode).toBe(422)
  for (const shown of ["CPF inválido", "E-mail é obrigatório", 'value="Rita"']) expect(answer.payload).toContain(shown)
  expect(await subscriptionsOf(plan._id)).toEqual([])
  const foreign = await post(`/assinar/${plan.slug}`, bruno, { "sec-fetch-site": "cross-site" })
  expect(foreign.statusCode).toBe(403)
})

test("an archived plan takes nobody, and who subscribed goes on", async () => {
  const plan = await planOf({ title: "Plano antigo" })
  await post(`/assinar/${plan.slug}`, bruno)
  await api("PATCH", `plans/${plan._id}`, { status: "archived" })
  expect((await site.call("GET", `/assinar/${plan.slug}`)).status).toBe(404)
  expect((await post(`/assinar/${plan.slug}`, { ...bruno, document: "390.533.447-05" })).statusCode).toBe(404)
  expect(await subscriptionsOf(plan._id)).toMatchObject([{ status: "active" }])
  expect((await site.call("GET", "/assinar/nada")).status).toBe(404)
})

test("a new price of a plan is for who subscribes later, and its address is its own", async () => {
  const plan = await planOf({ title: "Plano novo", slug: "Clube do Vinho" })
  expect(plan.slug).toBe("clube-do-vinho")
  await post(`/assinar/${plan.slug}`, bruno)
  await api("PATCH", `plans/${plan._id}`, { amount: 120 })
  await post(`/assinar/${plan.slug}`, { name: "Rita Dias", document: "390.533.447-05", email: "rita@cliente.example" })
  const amounts = (await subscriptionsOf(plan._id)).map(({ amount }: { amount: number }) => amount)
  expect(amounts.toSorted()).toEqual([120, 99.9])
  const again = await api("POST", "plans", { title: "X", slug: "clube-do-vinho", amount: 10, period: "monthly" })
  expect(again).toMatchObject({ code: "plan_slug_taken", errors: [{ path: "slug" }] })
  const { plans } = (await api("GET", "plans?limit=1000")).data
  expect(plans.find(({ _id }: { _id: string }) => _id === plan._id)).toMatchObject({ subscriptions: 2, amount: 120 })
})

test("a plan's name that is another plan's gets an address of its own", async () => {
  const [first, second] = [await planOf({ title: "Plano igual" }), await planOf({ title: "Plano igual" })]
  expect(first.slug).toBe("plano-igual")
  expect(second.slug).toMatch(/^plano-igual-[a-z0-9]{4}$/)
})

test("the customer's page shows what is to pay and was, and cancels", async () => {
  const plan = await planOf({ title: "Plano da página" })
  await post(`/assinar/${plan.slug}`, bruno)
  const [{ _id, link }] = await subscriptionsOf(plan._id)
  const page = await site.call("GET", linkOf(link))
  for (const shown of ["Plano da página", "Pagar R$ 99,90", "A vencer", "Cancelar a assinatura", "Os seus dados"]) {
    expect(page.text.replaceAll("\u00a0", " ")).toContain(shown)
  }
  expect((await post(`${linkOf(link)}/cancelar`, {}, { "sec-fetch-site": "cross-site" })).statusCode).toBe(403)
  expect(codesOf(await times(3, () => post(`${linkOf(link)}/cancelar`)))).toEqual({ ok: 3 })
  expect((await api("GET", `subscriptions/${_id}`)).data.subscription.status).toBe("cancelled")
  const after = await site.call("GET", linkOf(link))
  expect(after.text).toContain("Cancelada")
  expect(after.text).not.toContain("/cancelar")
  expect(after.text.replaceAll("\u00a0", " ")).toContain("Pagar R$ 99,90")
  const notices = (await api("GET", "users/me/notices")).data.notices
  const ofIt = notices.filter(({ kind }: { kind: string }) => kind === "subscription_by_customer")
  expect(ofIt.length).toBeGreaterThanOrEqual(2)
  expect((await site.call("GET", "/assinatura/abcdefghABCDEFGH")).status).toBe(404)
})

test("the customer sees and corrects their data by the link of a subscription", async () => {
  const plan = await planOf({ title: "Plano dos dados" })
  const rosa = { name: "Rosa Prado", document: "153.509.460-56", email: "rosa@cliente.example" }
  await post(`/assinar/${plan.slug}`, rosa)
  const [{ _id, link }] = await subscriptionsOf(plan._id)
  const path = `/assinatura/dados/${link.split("/").at(-1)}`
  const page = await site.call("GET", path)
  expect(page.text).toContain("Rosa P•••")
  expect(page.text).toContain("Voltar à assinatura")
  expect((await post(`${path}/correct`, { name: "Rosa Prado Lima" })).statusCode).toBe(303)
  expect((await api("GET", `subscriptions/${_id}`)).data.subscription.customer.name).toBe("Rosa Prado Lima")
  const noted = await post(`${path}/erase`)
  expect(noted.headers.location).toContain("done=noted")
})

test("a list of subscriptions is filtered, goes on by cursor and is summed up whole", async () => {
  const other = await site.signUp("bia@clube.example")
  const create = (body: object) => site.call("POST", "/api/v1/subscriptions", { token: other, body })
  const base = { title: "Mensalidade", amount: 100, period: "monthly", firstDueDate: today() }
  for (let number = 0; number < 3; number += 1) {
    site.clock.pass(1)
    const made = await create({ ...base, customer: { name: `Cliente ${number}` } })
    expect(made.status).toBe(201)
  }
  await create({ ...base, customer: { name: "Anual" }, period: "yearly", amount: 1200.06 })
  await create({ ...base, customer: { name: "Semanal" }, period: "weekly", amount: 10 })
  const list = async (query: string) =>
    (await site.call("GET", `/api/v1/subscriptions?${query}`, { token: other })).json
  const first = await list("limit=2")
  expect(first.results).toBe(5)
  // 3 × 100 + 1200.06 / 12 + 10 × 52 / 12
  expect(first.data.summary).toEqual({
    ...{ mrr: 443.34, active: 5, pastDue: 0, overdue: 0 },
    churn: { cancelled: 0, atStart: 0, percent: 0 },
  })
  const rest = await list(`limit=10&after=${first.data.subscriptions[1]._id}`)
  expect(rest.data.subscriptions).toHaveLength(3)
  expect((await list("search=anual")).data.subscriptions).toHaveLength(1)
  expect((await list("status=paused")).data.subscriptions).toEqual([])
})

test.each([
  [{ amount: 0.5 }, "amount", "O valor mínimo da cobrança é R$ 1,00"],
  [{ firstDueDate: "2020-01-01" }, "firstDueDate", "O primeiro vencimento não pode ser anterior a hoje"],
  [{ firstDueDate: "2026-02-30" }, "firstDueDate", "Data inválida."],
  [{ endsOn: "2030-01-01", cycles: 3 }, "endsOn", "Escolha uma data final ou um número de cobranças, não os dois"],
  [{ period: "weekly", leadDays: 7 }, "leadDays", "A cobrança não pode sair antes do vencimento anterior"],
  [{ customer: undefined }, "customerId", "Informe o cliente"],
  [{ title: " " }, "title", "Informe o nome da assinatura"],
])("refuses %o", async (wrong, path, message) => {
  const body = {
    customer: bruno,
    title: "Mensalidade",
    amount: 100,
    period: "monthly",
    firstDueDate: "2029-12-31",
    ...wrong,
  }
  const answer = await api("POST", "subscriptions", body)
  expect(answer.errors).toContainEqual({ path, message })
})
