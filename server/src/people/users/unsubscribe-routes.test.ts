import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()

afterAll(() => site.close())

async function seller(email: string): Promise<{ token: string; link: string }> {
  const token = await site.signUp(email)
  const row = await site.db
    .selectFrom("users")
    .select("mail_token")
    .where("email_key", "=", email)
    .executeTakeFirstOrThrow()
  return { token, link: `/emails/${row.mail_token}` }
}

const choiceOf = async (token: string) =>
  (await site.call("GET", "/api/v1/users/me", { token })).json.data.user.paymentMails

test("a link that a mail program merely looks into changes nothing; its button ends the mails, twice too", async () => {
  const { token, link } = await seller("botao@loja.example")
  const page = await site.call("GET", link)
  expect(page.status).toBe(200)
  expect(page.text).toContain("Parar os e-mails de pagamento?")
  expect(page.text).not.toContain("botao@loja.example")
  expect(await choiceOf(token)).toBe("each")
  for (const _ of [1, 2]) {
    const ended = await site.call("POST", link, { headers: { "content-type": "application/x-www-form-urlencoded" } })
    expect(ended.status).toBe(200)
    expect(ended.text).toContain("os e-mails de pagamento pararam")
  }
  expect(await choiceOf(token)).toBe("none")
  const records = await site.db
    .selectFrom("audit_records")
    .selectAll()
    .where("action", "=", "user.profile_updated")
    .execute()
  expect(records.map(({ after }) => after)).toEqual([{ paymentMails: "none" }])
})

test("one click in the mail program ends them as RFC 8058 asks, also five at once", async () => {
  const { token, link } = await seller("clique@loja.example")
  const click = () =>
    site.call("POST", link, {
      rawBody: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
  const replies = await Promise.all(Array.from({ length: 5 }, click))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await choiceOf(token)).toBe("none")
})

test.each(["nada", newId(), "00000000-0000-0000-0000-000000000000", "a".repeat(300), "%00"])(
  "an unknown link is a page with 404: %s",
  async (token) => {
    for (const method of ["GET", "POST"] as const) {
      const { status, headers } = await site.call(method, `/emails/${token}`)
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"])
    }
  },
)
