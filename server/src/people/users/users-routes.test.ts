import { afterAll, expect, test } from "vitest"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const update = (token: string, body: unknown) => site.call("PATCH", "/api/v1/users/updateMe", { token, body })
const me = async (token: string) => (await site.call("GET", "/api/v1/users/me", { token })).json.data.user

const bankAccount = {
  bank: "001",
  agency: "1234",
  account: "56789-0",
  accountType: "corrente",
  pixKey: "ana@loja.example",
}

test("the whole profile is saved, trimmed, and answered as users/me shows it", async () => {
  const token = await site.signUp("perfil@loja.example")
  const address = { ...sellerForm.address, street: "  Rua Nova ", complement: "Casa 2" }
  const reply = await update(token, {
    name: " Ana Maria ",
    email: "perfil@loja.example",
    cpf: sellerForm.cpf,
    phone: "(81) 98888-7777",
    address,
    bankAccount,
  })
  expect(reply.status).toBe(200)
  expect(reply.json.data.user).toMatchObject({
    name: "Ana Maria",
    phone: "81988887777",
    address: { ...address, street: "Rua Nova" },
    bankAccount,
  })
  expect(await me(token)).toEqual(reply.json.data.user)
})

test("what is not sent stays, also inside address and bank account", async () => {
  const token = await site.signUp("parte@loja.example")
  await update(token, { bankAccount })
  const before = await me(token)
  await update(token, { address: { city: "Olinda" }, bankAccount: { pixKey: "" } })
  expect(await me(token)).toEqual({
    ...before,
    address: { ...before.address, city: "Olinda" },
    bankAccount: { ...bankAccount, pixKey: "" },
  })
  expect((await update(token, {})).json.data.user).toEqual(await me(token))
})

test("A02: role, balance, state and password are not the owner's to set; e-mail and CPF stay", async () => {
  const token = await site.signUp("esperta@loja.example")
  const before = await me(token)
  const rawBody = JSON.stringify({
    role: "admin",
    active: false,
    balance: 1_000_000,
    password: "outra-senha",
    passwordHash: "x",
    _id: "00000000-0000-7000-8000-000000000000",
    email: "outra@loja.example",
    cpf: "11144477735",
    phone: "81911112222",
  }).replace("{", '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}},')
  const reply = await site.call("PATCH", "/api/v1/users/updateMe", { token, rawBody })
  expect(reply.status).toBe(200)
  expect(await me(token)).toEqual({ ...before, phone: "81911112222" })
  const login = { email: "esperta@loja.example", password: sellerForm.password }
  expect((await site.call("POST", "/api/v1/auth/login", { body: login })).status).toBe(200)
})

test("e-mail and CPF may be sent in any shape: they are ignored", async () => {
  const token = await site.signUp("formas@loja.example")
  expect((await update(token, { email: 7, cpf: ["x"], name: "Bia" })).json.data.user.name).toBe("Bia")
})

test.each([
  [{ name: " " }, "name"],
  [{ phone: "" }, "phone"],
  [{ address: { street: "" } }, "address.street"],
  [{ address: { zipCode: "" } }, "address.zipCode"],
  [{ bankAccount: { ...bankAccount, agency: " " } }, "bankAccount.agency"],
  [{ bankAccount: { ...bankAccount, accountType: "" } }, "bankAccount.accountType"],
])("a required field sent empty is reported (%j)", async (body, path) => {
  const token = await site.signUp(`vazio-${path}@loja.example`.toLowerCase())
  const before = await me(token)
  const reply = await update(token, body)
  expect(reply.status).toBe(422)
  expect(reply.json.errors).toEqual([{ path, message: "Preencha todos os campos obrigatórios" }])
  expect(await me(token)).toEqual(before)
})

test("a state has two letters, an account is corrente or poupança, and a list is no profile", async () => {
  const token = await site.signUp("formato@loja.example")
  expect((await update(token, { address: { state: "PER" } })).status).toBe(422)
  expect((await update(token, { bankAccount: { accountType: "salario" } })).status).toBe(400)
  expect((await update(token, { address: [] })).status).toBe(400)
  expect((await update(token, { name: { $gt: "" } })).status).toBe(400)
  expect((await update(token, [])).status).toBe(400)
})

test("changed bank data cause a mail to the owner, without showing them; unchanged ones don't", async () => {
  const email = "banco@loja.example"
  const token = await site.signUp(email)
  await update(token, { bankAccount })
  await update(token, { bankAccount })
  await update(token, { name: "Ana B." })
  const [ofName, mail, ...rest] = await deliverMails(site, email)
  expect(rest).toEqual([])
  expect(ofName?.text).toContain("Nome: de Ana Souza para Ana B.\n")
  expect(mail?.subject).toBe("Seus dados de recebimento foram alterados")
  expect(`${mail?.text}${mail?.html}`).not.toContain("56789")
  expect(mail?.text).toContain("Agência: de vazio para •••34\n")
  expect(mail?.text).toContain("Tipo de conta: de vazio para Conta corrente\n")
  expect(`${mail?.text}`).not.toContain("Pix ana@")
  await update(token, { bankAccount: { pixKey: "outra-chave" } })
  expect(await deliverMails(site, email)).toHaveLength(3)
})

test("of the same change sent ten times at once one is a change", async () => {
  const email = "rajada@loja.example"
  const token = await site.signUp(email)
  await Promise.all(Array.from({ length: 10 }, () => update(token, { bankAccount })))
  expect(await deliverMails(site, email)).toHaveLength(1)
})
