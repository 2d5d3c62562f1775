import { type QueryKey, queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "./client.ts"

interface Part<Reply> {
  key: QueryKey
  page: number
  filter: object
  ask: (part: { page: string; after: string | undefined }, signal: AbortSignal) => Promise<Reply>
  rowsOf: (reply: Reply) => readonly { _id: string }[]
}

/**
 * A page of a list by keyset: it starts after the last row of the page before, so that paging on never counts rows, and
 * neither repeats nor skips a row when others are added at the top. A page opened by its address, or long after the one
 * before, is fetched by its number.
 */
export function listQuery<Reply>({ key, page, filter, ask, rowsOf }: Part<Reply>) {
  const keyOf = (number: number) => [...key, "list", number, filter]
  return queryOptions({
    queryKey: keyOf(page),
    queryFn: ({ client, signal }) => {
      const before = client.getQueryData<Reply>(keyOf(page - 1))
      const after = before === undefined ? undefined : rowsOf(before).at(-1)?._id
      return ask({ page: String(page), after }, signal)
    },
  })
}

export const supportEmailQuery = queryOptions({
  queryKey: ["public", "support-email"],
  queryFn: async ({ signal }) => {
    const { data } = await call(heads.getPublicSetting, { params: { key: "SUPPORT_EMAIL" }, signal })
    return String(data.setting.value)
  },
  staleTime: 60_000,
})
