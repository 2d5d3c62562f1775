import { QueryClient } from "@tanstack/react-query"
import { expect, test } from "vitest"
import { listQuery } from "./queries.ts"

const rows = ["a", "b", "c", "d", "e"].map((_id) => ({ _id }))

function openList() {
  const client = new QueryClient()
  const asked: object[] = []
  const show = (page: number, filter = {}) =>
    client.fetchQuery(
      listQuery({
        key: ["list of letters"],
        page,
        filter,
        ask: async (part) => {
          asked.push(part)
          return { data: rows.slice(2 * page - 2, 2 * page) }
        },
        rowsOf: ({ data }) => data,
      }),
    )
  return { show, asked }
}

test("the next page follows the last row shown, and going back works the same way", async () => {
  const { show, asked } = openList()
  for (const page of [1, 2, 3, 2]) await show(page)
  expect(asked).toEqual([
    { page: "1", after: undefined },
    { page: "2", after: "b" },
    { page: "3", after: "d" },
    { page: "2", after: "b" },
  ])
})

test("a page that was opened by its address, or of another filter, is asked for by its number", async () => {
  const { show, asked } = openList()
  await show(1, { status: "pago" })
  await show(3)
  await show(2)
  expect(asked.slice(1)).toEqual([
    { page: "3", after: undefined },
    { page: "2", after: undefined },
  ])
})
