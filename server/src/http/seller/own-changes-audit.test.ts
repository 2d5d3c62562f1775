import { afterAll, expect, test } from "vitest"
import { auditOf, newPerson } from "../../../test-support/admins.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

const from = "10.7.7.7"
const update = (token: string, body: unknown) => site.call("PATCH", "/api/v1/users/updateMe", { token, body, from })
const bankAccount = { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente", pixKey: "a@b.example" }

test("W13: changed bank data are audited with old and new values, actor and address", async () => {
  const { id, token } = await newPerson(site, "banco@loja.example")
  await update(token, { bankAccount })
  await update(token, { bankAccount: { pixKey: "outra@loja.example" } })
  const own = { action: "user.profile_updated", actor_id: id, actor_address: from }
  expect(await auditOf(site, id)).toEqual([
    { ...own, before: { bankAccount: {} }, after: { bankAccount } },
    { ...own, before: { bankAccount }, after: { bankAccount: { ...bankAccount, pixKey: "outra@loja.example" } } },
  ])
})

test("of a profile only what differs is recorded, and nothing when nothing does", async () => {
  const { id, token } = await newPerson(site, "perfil@loja.example")
  await update(token, { name: "Ana Maria", phone: "11987654321" })
  await update(token, { name: "Ana Maria" })
  await update(token, {})
  expect(await auditOf(site, id)).toMatchObject([{ before: { name: "Ana Souza" }, after: { name: "Ana Maria" } }])
})

test("what is refused is not recorded", async () => {
  const { id, token } = await newPerson(site, "recusa@loja.example")
  await update(token, { name: "" })
  const wrong = { passwordCurrent: "errada-1", password: "senha-nova-1", passwordConfirm: "senha-nova-1" }
  await site.call("PATCH", "/api/v1/auth/updateMyPassword", { token, body: wrong })
  expect(await auditOf(site, id)).toEqual([])
})

test("a changed and a reset password are recorded, without either password, hash or link", async () => {
  const { id, email, token } = await newPerson(site, "senha@loja.example")
  const change = { passwordCurrent: "senha-da-ana", password: "senha-nova-1", passwordConfirm: "senha-nova-1" }
  await site.call("PATCH", "/api/v1/auth/updateMyPassword", { token, body: change, from })
  await site.call("POST", "/api/v1/auth/forgotPassword", { body: { email } })
  const [mail] = await deliverMails(site, email)
  const link = /reset-password\/([\w-]+)/.exec(mail?.text ?? "")?.[1]
  const body = { password: "senha-nova-2", passwordConfirm: "senha-nova-2" }
  const path = `/api/v1/auth/resetPassword/${link}`
  expect((await site.call("PATCH", path, { body, from: "10.8.8.8" })).status).toBe(200)
  const nothing = { before: null, after: null }
  expect(await auditOf(site, id)).toEqual([
    { action: "user.password_changed", actor_id: id, actor_address: from, ...nothing },
    { action: "user.password_reset", actor_id: id, actor_address: "10.8.8.8", ...nothing },
  ])
  const text = JSON.stringify(await site.db.selectFrom("audit_records").selectAll().execute())
  for (const secret of ["senha-", "argon2", token, link ?? "?"]) expect(text).not.toContain(secret)
})
