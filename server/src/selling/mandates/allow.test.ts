import { afterAll, afterEach, expect, test } from "vitest"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { openTwoAdmins } from "../../../test-support/two-admins.ts"
import { isAutomaticSeller } from "./reads.ts"

const platform = await openTwoAdmins()
const { chief, deputy, db } = platform

afterEach(() => platform.forgetApprovals())
afterAll(() => platform.close())

const waits = { status: 200, json: { data: { pending: true } } }

test("a seller is allowed by two administrators and told, and disallowed by one", async () => {
  const seller = await platform.seller()
  const path = `/admin/users/${seller.id}/automatic-pix`
  const body = { enabled: true, reason: "Contrato conferido" }
  expect(await platform.act(chief, "PATCH", path, body)).toMatchObject(waits)
  expect(await isAutomaticSeller(db, seller.id)).toBe(false)
  expect(await platform.act(chief, "PATCH", path, body)).toMatchObject({ json: { code: "second_approver_needed" } })
  expect(await platform.act(deputy, "PATCH", path, { ...body, reason: "Outro motivo" })).toMatchObject(waits)
  expect(await platform.act(chief, "PATCH", path, { ...body, reason: "Outro motivo" })).toMatchObject({
    status: 200,
    json: { data: { enabled: true } },
  })
  expect(await isAutomaticSeller(db, seller.id)).toBe(true)
  const off = await platform.act(deputy, "PATCH", path, { enabled: false, reason: "Reclamações" })
  expect(off).toMatchObject({ status: 200, json: { data: { enabled: false } } })
  expect(await isAutomaticSeller(db, seller.id)).toBe(false)
  const actions = await db.selectFrom("audit_records").select("action").where("entity_id", "=", seller.id).execute()
  expect(actions.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["automatic_pix.allowed", "automatic_pix.disallowed"]),
  )
})

test("the setting is refused with the reason while something is missing", async () => {
  const setting = { key: "AUTOMATIC_PIX", value: true, type: "boolean", category: "general", description: "x" }
  const turnOn = async () => {
    const { status, json } = await platform.act(chief, "POST", "/settings", setting)
    return { status, reason: json.errors?.[0]?.message, pending: json.data?.pending }
  }
  expect(await turnOn()).toMatchObject({ status: 422, reason: expect.stringContaining("LEGAL_NAME") })
  await saveSetting(db, "LEGAL_NAME", "Tilinta Pagamentos Ltda")
  expect(await turnOn()).toMatchObject({ status: 422, reason: expect.stringContaining("LEGAL_CNPJ") })
  await saveSetting(db, "LEGAL_CNPJ", "11222333000181")
  expect((await turnOn()).pending).toBe(true)
  const empty = (key: string) => platform.act(chief, "PATCH", `/settings/${key}`, { value: "" })
  await saveSetting(db, "AUTOMATIC_PIX", true)
  for (const key of ["LEGAL_NAME", "LEGAL_CNPJ"]) {
    expect(await empty(key)).toMatchObject({ status: 422, json: { errors: [{ path: "value" }] } })
  }
})
