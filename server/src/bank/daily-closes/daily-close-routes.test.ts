import { afterAll, expect, test } from "vitest"
import { newPerson } from "../../../test-support/admins.ts"
import { insertDifferingDay } from "../../../test-support/insert-daily-close.ts"
import { downloadXlsx } from "../../../test-support/read-xlsx.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const path = "/api/v1/admin/daily-closes"

const site = await openTestApp()
const admin = await newPerson(site, "chefe@loja.example", "admin")

afterAll(() => site.close())

test("an admin reads the days, one day's differences and its CSV, and has it compared again", async () => {
  const { token } = admin
  const [older, newer] = [await insertDifferingDay(site.db, "2026-11-18"), await insertDifferingDay(site.db)]
  const list = await site.call("GET", `${path}?limit=1`, { token })
  expect(list.json).toMatchObject({
    results: 2,
    data: {
      closes: [
        {
          _id: newer,
          day: "2026-11-20",
          providerLabel: expect.stringMatching(/^banco-/),
          status: "differences",
          differenceCount: 1,
        },
      ],
    },
  })
  expect((await site.call("GET", `${path}?limit=1&page=2`, { token })).json.data.closes).toMatchObject([{ _id: older }])

  const one = await site.call("GET", `${path}/${newer}`, { token })
  expect(one.json.data).toMatchObject({
    close: { totals: [{ kind: "payout", ours: { count: 1, amount: 30 }, bank: { count: 2, amount: 30.5 } }] },
    differences: [{ kind: "payout", problem: "missing_with_us", ourAmount: null, bankAmount: 0.5, mended: false }],
  })

  const csv = await site.call("GET", `${path}/${newer}/export`, { token })
  expect(csv.headers["content-disposition"]).toContain("fechamento_2026-11-20.csv")
  expect(csv.text).toContain(
    "20/11/2026 15:00;Envio;Não consta na plataforma;Não;'=estranho;;0,50;;completed;20/11/2026 06:00\r\n",
  )

  const book = await downloadXlsx(site.app, `${path}/${newer}/export?format=xlsx`, token)
  expect(book.name).toContain("fechamento_2026-11-20.xlsx")
  expect(book.rows).toMatchObject([
    {
      Data: "2026-11-20 15:00:00",
      Identificador: "=estranho",
      "Valor no banco (R$)": 0.5,
      "Situação no banco": "completed",
    },
  ])

  const redone = await site.call("PATCH", `${path}/${newer}/redo`, { token })
  expect(redone.json).toMatchObject({ message: expect.any(String), data: { close: { status: "checking" } } })
  expect((await site.call("PATCH", `${path}/${newer}/redo`, { token })).status).toBe(200)
  const audited = await site.db
    .selectFrom("audit_records")
    .select(["action", "actor_id"])
    .where("entity", "in", ["daily_close", "export"])
    .orderBy("id")
    .execute()
  expect(audited.map(({ action }) => action)).toEqual([
    "differences.exported",
    "differences.exported",
    "daily_close.redone",
    "daily_close.redone",
  ])
  expect(new Set(audited.map(({ actor_id }) => actor_id))).toEqual(new Set([admin.id]))
})

test("an unknown day is none, and today can't be closed", async () => {
  const { token } = admin
  for (const id of ["nada", "0193a4c5-7c1a-7d3e-9b52-4f0d6c8e1a27"]) {
    expect((await site.call("GET", `${path}/${id}`, { token })).json.code).toBe("daily_close_not_found")
    expect((await site.call("GET", `${path}/${id}/export`, { token })).status).toBe(404)
    expect((await site.call("PATCH", `${path}/${id}/redo`, { token })).status).toBe(404)
  }
  const today = await insertDifferingDay(site.db, "2026-11-21")
  expect((await site.call("PATCH", `${path}/${today}/redo`, { token })).json).toMatchObject({
    code: "daily_close_too_early",
  })
})

test("a day is named by the connected bank's name for people", async () => {
  const id = await insertDifferingDay(site.db, "2026-11-17")
  await site.db.updateTable("daily_closes").set({ provider: "simulator" }).where("id", "=", id).execute()
  const { json } = await site.call("GET", `${path}/${id}`, { token: admin.token })
  expect(json.data.close).toMatchObject({ provider: "simulator", providerLabel: "Simulador (testes)" })
})
