import { inject } from "vitest"

/** Through a pooler in session mode; one in transaction mode is for requests alone. */
export function ownerUrlOfRun(): string {
  const pooler = inject("testPooler")
  return pooler?.mode === "session" ? pooler.url : inject("testPostgresUrl")
}
