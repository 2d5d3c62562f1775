import { type APIRequestContext, expect } from "@playwright/test"

/** The mail is sent after the answer, which must not reveal whether the account exists. */
export async function linkFromMail(request: APIRequestContext, address: string): Promise<string> {
  let link: string | undefined
  async function readLink(): Promise<boolean> {
    const answer = await request.get("/simulador/api/emails", { params: { to: address } })
    const { emails } = (await answer.json()) as { emails: { text: string }[] }
    link = emails.flatMap(({ text }) => text.match(/https?:\S+\/reset-password\/\S+/) ?? [])[0]
    return link !== undefined
  }
  await expect.poll(readLink, { intervals: [200], timeout: 20_000 }).toBe(true)
  return link ?? ""
}
