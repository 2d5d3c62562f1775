type Facts<Status extends string, Fact extends string> = Readonly<Record<Status, Readonly<Record<Fact, boolean>>>>

/** The statuses for which a fact is true, as a type. */
export type StatusWith<Table extends Facts<string, string>, Fact extends string> = {
  [Status in keyof Table]: Table[Status][Fact] extends true ? Status : never
}[keyof Table]

/** The same as a list, in the table's order. */
export function statusesWith<Status extends string, Fact extends string, Table extends Facts<Status, Fact>>(
  table: Table & Facts<Status, Fact>,
  fact: Fact,
): StatusWith<Table, Fact>[] {
  const statuses = Object.keys(table) as Status[]
  return statuses.filter((status) => table[status][fact]) as unknown as StatusWith<Table, Fact>[]
}
