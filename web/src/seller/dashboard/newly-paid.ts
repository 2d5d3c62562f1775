interface Row {
  _id: string
  status: string
}

/** Payments that became paid between two polls. The first poll announces nothing. */
export function newlyPaid<R extends Row>(before: readonly R[] | null, now: readonly R[]): R[] {
  if (before === null) return []
  const paidBefore = new Set(before.filter((row) => row.status === "pago").map((row) => row._id))
  const oldestKnown = before.at(-1)?._id ?? ""
  // Ids grow with time: an older row that moved up into view was not paid just now.
  return now.filter((row) => row.status === "pago" && !paidBefore.has(row._id) && row._id >= oldestKnown)
}
