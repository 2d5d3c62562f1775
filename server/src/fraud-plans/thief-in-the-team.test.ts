import { setTimeout as sleep } from "node:timers/promises"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import { afterAll, beforeEach, expect, test } from "vitest"
import { createEvents } from "#events/events"
import { createLog } from "#kit/log"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"

const plan = await openFraudPlan()
let owner: Victim
/** Somebody who has the owner's password sits in front of it. */
let stolen: string

beforeEach(async () => {
  plan.clock.pass(3 * 86_400)
  owner = await plan.victim()
  stolen = await plan.freshSessionOf(owner)
})

afterAll(() => plan.close())

type Method = "GET" | "POST" | "PATCH" | "DELETE"

const call = (method: Method, path: string, token: string, body?: object, shop?: string) =>
  plan.call(method, `/api/v1/${path}`, {
    token,
    ...(body && { body }),
    ...(shop !== undefined && { headers: { "x-shop": shop } }),
  })

async function invite(email: string, role: ShopRole, shop = owner): Promise<string> {
  const { status, json } = await call("POST", `shops/${shop.id}/invitations`, stolen, { email, role }, shop.id)
  expect(status).toBe(201)
  const { link } = json.data.invitation
  return link.slice(link.lastIndexOf("/") + 1)
}

const accept = async (link: string, who: Victim) =>
  call("POST", `invitations/${link}/accept`, await plan.sessionOf(who), {})

async function employee(role: ShopRole): Promise<Victim> {
  const who = await plan.victim()
  expect((await accept(await invite(who.email, role), who)).status).toBe(200)
  return who
}

const placesOf = async ({ id }: Victim) =>
  (await plan.db.selectFrom("shop_members").select("role").where("user_id", "=", id).execute()).map(({ role }) => role)

test("an invitation that the thief sent before 'Não fui eu' opens nothing, in the freeze and after it", async () => {
  const thief = await plan.victim()
  const link = await invite(thief.email, "owner")
  await plan.press(await plan.notMePath(owner))
  await plan.expectTold(owner, "Os saques da sua conta estão congelados", { says: ["Convites cancelados", "1"] })
  expect((await accept(link, thief)).json.code).toBe("team_invitation_not_found")
  await plan.db
    .updateTable("freezes")
    .set({ ended_at: plan.clock.now(), ended_by: owner.id })
    .where("user_id", "=", owner.id)
    .execute()
  expect((await accept(link, thief)).json.code).toBe("team_invitation_not_found")
  expect(await placesOf(thief)).toEqual([])
})

test("whoever joined or rose since the day before the mail leaves the team, and older members stay as they were", async () => {
  const [helper, clerk, manager] = [await employee("cashier"), await employee("cashier"), await employee("manager")]
  const other = await employee("owner")
  plan.clock.pass(3 * 86_400)
  stolen = await plan.freshSessionOf(owner)
  const thief = await employee("owner")
  const change = (who: Victim, role: ShopRole) => call("PATCH", `shops/${owner.id}/members/${who.id}`, stolen, { role })
  expect((await change(helper, "owner")).status).toBe(200)
  expect((await change(manager, "accountant")).status).toBe(200)

  const heard = createEvents({ url: plan.database.url, log: createLog("silent") })
  let ended = 0
  const stop = heard.onSessionsOf(thief.id, () => {
    ended += 1
  })
  await sleep(500)
  const page = await plan.press(await plan.newNotMePath(owner))
  expect(page.text).toContain("2 pessoas saíram da equipe")
  expect([await placesOf(thief), await placesOf(helper)]).toEqual([[], []])
  expect(await Promise.all([clerk, manager, other].map(placesOf))).toEqual([["cashier"], ["accountant"], ["owner"]])
  expect((await call("GET", "users/myBalance", await plan.sessionOf(thief), undefined, owner.id)).json.code).toBe(
    "role_forbidden",
  )
  await plan.expectTold(owner, "Os saques da sua conta estão congelados", { says: ["Removidos da equipe"] })
  await plan.expectTold(other, "Ana Souza, dono, foi removido da equipe da sua loja")
  await plan.expectTold(thief, "Você não está mais na equipe de Ana Souza")
  const removals = plan.db.selectFrom("audit_records").select("actor_id").where("action", "=", "member.removed")
  const records = await removals.where("entity_id", "in", [thief.id, helper.id]).execute()
  expect(records).toEqual([{ actor_id: owner.id }, { actor_id: owner.id }])
  await expect.poll(() => ended).toBeGreaterThan(0)
  stop()
  await heard.stop()
})

test("what a robbed owner of another's shop has offered for it ends, too", async () => {
  const founder = owner
  const second = await employee("owner")
  stolen = await plan.freshSessionOf(second)
  const thief = await plan.victim()
  const link = await invite(thief.email, "manager", founder)
  await plan.press(await plan.newNotMePath(second))
  expect((await accept(link, thief)).json.code).toBe("team_invitation_not_found")
  expect(await placesOf(second)).toEqual(["owner"])
})

test("accepted in the same moment, it makes no member who stays", async () => {
  for (const _ of [1, 2, 3]) {
    owner = await plan.victim()
    stolen = await plan.freshSessionOf(owner)
    const thief = await plan.victim()
    const link = await invite(thief.email, "owner")
    const path = await plan.newNotMePath(owner)
    const [, pressed] = await Promise.all([accept(link, thief), plan.press(path)])
    expect(pressed.status).toBe(200)
    expect(await placesOf(thief)).toEqual([])
  }
})

test("an offer that comes in the same moment is refused, or ends with the others", async () => {
  const path = await plan.newNotMePath(owner)
  const offer = (email: string) => call("POST", `shops/${owner.id}/invitations`, stolen, { email, role: "owner" })
  const emails = [1, 2, 3, 4].map((at) => `ladrao${at}@loja.example`)
  await Promise.all([offer(emails[0] ?? ""), offer(emails[1] ?? ""), plan.press(path), ...emails.slice(2).map(offer)])
  const left = plan.db.selectFrom("shop_invitations").select("id").where("shop_id", "=", owner.id)
  expect(await left.execute()).toEqual([])
})
