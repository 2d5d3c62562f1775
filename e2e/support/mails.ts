import { type APIRequestContext, expect } from "@playwright/test"

/** The newest link of its kind. The mail is sent after the answer, which must not reveal whether the account exists. */
export async function linkFromMail(
  request: APIRequestContext,
  address: string,
  kind: "reset-password" | "confirm-email" | "new-email" | "not-me" = "reset-password",
): Promise<string> {
  const pattern = new RegExp(`https?:\\S+/${kind}/\\S+`)
  let link: string | undefined
  async function readLink(): Promise<boolean> {
    const answer = await request.get("/simulador/api/emails", { params: { to: address } })
    const { emails } = (await answer.json()) as { emails: { text: string }[] }
    link = emails.flatMap(({ text }) => text.match(pattern) ?? [])[0]
    return link !== undefined
  }
  await expect.poll(readLink, { intervals: [200] }).toBe(true)
  return link ?? ""
}
