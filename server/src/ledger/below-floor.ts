/** Recognises the database's error for postings that would take an account below its floor. */
export function isBelowFloor(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, table } = error as Error & { code?: unknown; table?: unknown }
  return code === "23514" && table === "ledger_accounts"
}
