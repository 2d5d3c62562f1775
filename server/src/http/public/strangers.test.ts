import { afterAll, expect, test } from "vitest"
import { newPerson } from "../../../test-support/admins.ts"
import { insertCharge } from "../../../test-support/insert-charge.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const [site, relaxed] = await Promise.all([openTestApp({ protection: "strict" }), openTestApp()])

afterAll(() => Promise.all([site.close(), relaxed.close()]))

let addresses = 0
const newAddress = () => `198.51.${100 + Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`

async function signUp(email: string, { name = "Ana Souza", from = newAddress(), headers = {} } = {}) {
  return site.call("POST", "/api/v1/auth/signup", { body: { ...sellerForm, email, name }, from, headers })
}
const stranger = async (email: string): Promise<string> => (await signUp(email)).json.token
const newPage = (token: string, overrides: object = {}) =>
  site.call("POST", "/api/v1/checkout/pages", {
    token,
    body: { title: "Mentoria", slug: "mentoria", amount: 10, pixConfig: { allowAnonymous: true }, ...overrides },
  })
const linkIn = (text = "") => /\/confirm-email\/[\w-]{43}/.exec(text)?.[0] ?? ""
const propsOf = (html: string) => JSON.parse(html.replace(/^<script[^>]*>|<\/script>$/g, ""))

test("a page is shut until its seller used the link in the only mail that goes to them", async () => {
  const email = "nova@loja.example"
  const token = await stranger(email)
  const me = () => site.call("GET", "/api/v1/users/me", { token })
  expect((await me()).json.data.user.emailState).toBe("unconfirmed")
  const page = (await newPage(token)).json.data.checkoutPage
  const shown = await site.call("GET", `/api/v1/checkout/pages/${page.uniqueLink}`)
  expect([shown.status, shown.json.code]).toEqual([404, "charge_page_not_open"])
  const html = await site.call("GET", `/checkout/${page.slug}`)
  expect([html.status, propsOf(html.text)]).toMatchObject([404, { page: null, hiddenBy: "charge_page_not_open" }])
  const asked = await site.call("POST", "/api/v1/checkout/process-modern-pix-payment", {
    body: { checkoutPageId: page._id, customerInfo: null },
  })
  expect(asked.json.code).toBe("charge_page_not_open")
  const single = await site.call("POST", "/api/v1/charges", { token, body: { amount: 10, description: "Pedido" } })
  expect([single.status, single.json.code]).toEqual([403, "email_not_confirmed"])
  for (const path of ["qr.svg", "preview.png"]) {
    expect((await site.call("GET", `/checkout/${page.slug}/${path}`)).status).toBe(404)
  }

  const mails = await deliverMails(site, email)
  expect(mails.map(({ subject }) => subject)).toEqual(["Confirme o seu e-mail"])
  const link = linkIn(mails[0]?.text)
  const looked = await site.call("GET", link)
  expect([looked.status, looked.text]).toEqual([200, expect.stringContaining("Confirmar o seu e-mail?")])
  expect((await me()).json.data.user.emailState).toBe("unconfirmed")
  for (const again of ["once", "twice"]) {
    const used = await site.call("POST", link, { rawBody: "", headers: { "content-type": "text/plain" } })
    expect([again, used.status, used.text]).toEqual([again, 200, expect.stringContaining("E-mail confirmado")])
  }
  expect((await me()).json.data.user.emailState).toBe("confirmed")
  expect((await site.call("GET", `/api/v1/checkout/pages/${page.uniqueLink}`)).status).toBe(200)
  const audited = await site.db
    .selectFrom("audit_records")
    .select("action")
    .where("action", "=", "user.email_confirmed")
    .execute()
  expect(audited).toHaveLength(1)
})

test("no mail but the link goes to an address that nobody confirmed, and it holds nothing of who signed up", async () => {
  const email = "alvo@vitima.example"
  const name = "Sua conta foi bloqueada, ligue 0800"
  const { json } = await signUp(email, { name })
  for (let times = 0; times < 4; times += 1) {
    await site.call("POST", "/api/v1/auth/forgotPassword", { body: { email } })
    await deliverMails(site, email)
  }
  const passwordConfirm = "outra-senha-boa"
  const body = { passwordCurrent: sellerForm.password, password: passwordConfirm, passwordConfirm }
  await site.call("POST", "/api/v1/auth/step-up", { token: json.token, body: { password: sellerForm.password } })
  expect((await site.call("PATCH", "/api/v1/auth/updateMyPassword", { token: json.token, body })).status).toBe(200)
  const mails = await deliverMails(site, email)
  expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(["Confirme o seu e-mail"]))
  expect(mails).toHaveLength(3)
  for (const { subject, text, html } of mails) expect(subject + text + html).not.toMatch(/bloqueada|0800/)
  const more = await site.call("POST", "/api/v1/users/me/email-confirmation", { token: json.token })
  expect([more.status, more.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^\d+$/)])
  site.clock.pass(3_600)
  expect((await site.call("POST", "/api/v1/users/me/email-confirmation", { token: json.token })).status).toBe(200)
})

test("a link confirms only the address that it was sent to, for a day, and is stored as a digest", async () => {
  const token = await stranger("velho@loja.example")
  const link = linkIn((await deliverMails(site, "velho@loja.example"))[0]?.text)
  const confirm = (path: string) => site.call("POST", path, { rawBody: "", headers: { "content-type": "text/plain" } })
  const stored = await site.db.selectFrom("email_confirmations").selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(link.split("/").at(-1))
  await site.db
    .updateTable("users")
    .set({ email_key: "outro@loja.example" })
    .where("email_key", "=", "velho@loja.example")
    .execute()
  await site.db
    .updateTable("users")
    .set({ email: "outro@loja.example" })
    .where("email_key", "=", "outro@loja.example")
    .execute()
  expect((await confirm(link)).status).toBe(404)
  await site.call("POST", "/api/v1/users/me/email-confirmation", { token })
  const late = linkIn((await deliverMails(site, "outro@loja.example"))[0]?.text)
  site.clock.pass(24 * 3_600)
  for (const path of [late, "/confirm-email/nada", `/confirm-email/${"A".repeat(43)}`]) {
    expect([path, (await confirm(path)).status, (await site.call("GET", path)).status]).toEqual([path, 404, 404])
  }
})

test("an invited user confirms by setting the password, and hears of everything", async () => {
  const boss = await newPerson(relaxed, "dona@loja.example", "admin")
  const body = { name: "Beatriz", email: "bia@loja.example", role: "user", active: true }
  await relaxed.call("POST", "/api/v1/admin/users", { token: boss.token, body })
  const [invitation] = await deliverMails(relaxed, "bia@loja.example")
  const path = /reset-password\/([\w-]{43})/.exec(invitation?.text ?? "")?.[1]
  const password = "senha-da-beatriz"
  await relaxed.call("PATCH", `/api/v1/auth/resetPassword/${path}`, { body: { password, passwordConfirm: password } })
  const { json } = await relaxed.call("POST", "/api/v1/auth/login", { body: { email: body.email, password } })
  expect(json.data.user.emailState).toBe("confirmed")
})

test("whoever met five accounts signs up no more for an hour, with known addresses or new ones, and owners hear once", async () => {
  await stranger("dona@conhecida.example")
  await site.db
    .updateTable("users")
    .set({ email_state: "confirmed" })
    .where("email_key", "=", "dona@conhecida.example")
    .execute()
  await deliverMails(site)
  const from = newAddress()
  const known = (count: number, headers = {}) =>
    Promise.all(Array.from({ length: count }, () => signUp("Dona@Conhecida.example", { from, headers })))
  const atOnce = await known(12)
  const statuses = atOnce.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(5).fill(409), ...Array(7).fill(429)])
  expect((await signUp("ninguem@nova.example", { from })).status).toBe(429)
  const withKey = await known(1, { "idempotency-key": "chave-de-quem-tenta-1" })
  expect(withKey[0]?.status).toBe(429)
  expect((await signUp("ninguem@nova.example")).status).toBe(201)
  const mails = await deliverMails(site, "dona@conhecida.example")
  expect(mails.filter(({ subject }) => subject.startsWith("Alguém tentou"))).toHaveLength(1)
  expect(mails[0]?.text).toContain(from)
  site.clock.pass(3_601)
  expect((await known(1))[0]?.status).toBe(409)
  expect(await deliverMails(site, "dona@conhecida.example")).toHaveLength(mails.length + 1)
})

test("relaxed asks for no confirmation, and meets accounts as before", async () => {
  const token = await relaxed.signUp("livre@loja.example")
  const body = { title: "Receita Federal", slug: "receita-federal", amount: 10 }
  const { json } = await relaxed.call("POST", "/api/v1/checkout/pages", { token, body })
  expect((await relaxed.call("GET", `/api/v1/checkout/pages/${json.data.checkoutPage.slug}`)).status).toBe(200)
  const again = () =>
    relaxed.call("POST", "/api/v1/auth/signup", {
      body: { ...sellerForm, email: "livre@loja.example" },
      from: "203.0.113.7",
    })
  for (let times = 0; times < 7; times += 1) expect((await again()).status).toBe(409)
  expect(await deliverMails(relaxed, "livre@loja.example")).toEqual([])
})

const messages = {
  name: "“Receita Federal” é nome de banco, de órgão público, de empresa conhecida ou desta plataforma, e não é aceito aqui. Se você pode usá-lo, fale com o suporte.",
  address: "Tire o endereço de site ou de e-mail deste texto: aqui ele não é aceito.",
}

test("names and titles that mislead are refused at their field, unless an administrator allowed them", async () => {
  const refused = await signUp("rf@loja.example", { name: "Rесеita Fеdеrаl" })
  expect([refused.status, refused.json.errors]).toEqual([422, [{ path: "name", message: messages.name }]])
  const seller = await newPerson(site, "serio@loja.example")
  const { token } = seller
  const page = (await newPage(token, { slug: "serio" })).json.data.checkoutPage
  const refusals: [path: string, body: object, message: string][] = [
    ["title", { title: "DARF da Receita-Federal" }, messages.name],
    ["description", { description: "Pague em http://banco.example" }, messages.address],
    ["slug", { slug: "receita-federal" }, messages.name],
  ]
  for (const [path, body, message] of refusals) {
    const created = await newPage(token, body)
    const changed = await site.call("PATCH", `/api/v1/checkout/pages/${page._id}`, { token, body })
    for (const { status, json } of [created, changed]) {
      expect([status, json.errors]).toEqual([422, [{ path, message }]])
    }
  }
  const renamed = () => site.call("PATCH", "/api/v1/users/updateMe", { token, body: { name: "Receita Federal" } })
  expect((await renamed()).json.errors).toEqual([{ path: "name", message: messages.name }])
  const single = await site.call("POST", "/api/v1/charges", {
    token,
    body: { amount: 10, description: "Receita Federal" },
  })
  expect(single.json.errors).toEqual([{ path: "description", message: messages.name }])

  await site.db.updateTable("users").set({ any_name: true }).where("id", "=", seller.id).execute()
  expect((await renamed()).status).toBe(200)
  expect((await newPage(token, { title: "Receita Federal", slug: "receita-federal" })).status).toBe(201)
})

test("an administrator's word is audited, and nobody gives it to themselves", async () => {
  const boss = await newPerson(relaxed, "chefe@loja.example", "admin")
  const seller = await newPerson(relaxed, "banco@loja.example")
  await relaxed.call("PATCH", "/api/v1/users/updateMe", { token: seller.token, body: { anyName: true, name: "Outro" } })
  const asked = (token: string) =>
    relaxed.call("PATCH", `/api/v1/admin/users/${seller.id}`, { token, body: { anyName: true } })
  expect((await asked(seller.token)).status).toBe(403)
  expect((await relaxed.call("GET", "/api/v1/users/me", { token: seller.token })).json.data.user.anyName).toBe(false)
  expect((await asked(boss.token)).json.data.user.anyName).toBe(true)
  const [record] = await relaxed.db
    .selectFrom("audit_records")
    .select(["before", "after", "actor_id"])
    .where("entity_id", "=", seller.id)
    .where("action", "=", "user.updated")
    .execute()
  expect(record).toEqual({ before: { anyName: false }, after: { anyName: true }, actor_id: boss.id })
})

test("without the payer's token a payment is unknown in strict, and with a wrong one anywhere", async () => {
  for (const app of [site, relaxed]) {
    const { id: sellerId, token } = await newPerson(app, `token-${app.protection}@loja.example`)
    const body = { title: "Mentoria", slug: "mentoria", amount: 10 }
    const page = (await app.call("POST", "/api/v1/checkout/pages", { token, body })).json.data.checkoutPage
    const overrides = { sellerId, pageId: page._id, status: "pending", at: "2026-11-21T12:00:00Z" } as const
    const [other, charge] = [await insertCharge(app.db, overrides), await insertCharge(app.db, overrides)]
    const [k, wrong] = [charge, other].map((id) => app.payerTokens.of(id))
    const paths = [
      `/api/v1/checkout/payment-status/${charge}`,
      `/api/v1/checkout/payment-proofs/${charge}`,
      `/payment/${charge}/qr.png`,
      `/checkout/${page.slug}?pix=${charge}`,
    ]
    for (const path of paths) {
      const ask = async (query: string): Promise<[string, string, number]> => {
        const { status } = await app.call("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`)
        return [path, query, status]
      }
      expect(await ask(`k=${k}`)).toEqual([path, `k=${k}`, 200])
      expect(await ask(`k=${wrong}`)).toEqual([path, `k=${wrong}`, 404])
      expect(await ask("")).toEqual([path, "", app.protection === "strict" ? 404 : 200])
    }
    const stream = await app.call("GET", `${paths[0]}/stream?k=${wrong}`)
    expect([stream.status, stream.json.code]).toEqual([404, "payment_not_found"])
  }
})
