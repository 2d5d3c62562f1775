import type { TestApp } from "./test-app.ts"

export interface Person {
  id: string
  email: string
  token: string
}

/** Registers a user, as an admin if wished. */
export async function newPerson(site: TestApp, email: string, role: "user" | "admin" = "user"): Promise<Person> {
  const token = await site.signUp(email)
  const id: string = (await site.call("GET", "/api/v1/users/me", { token })).json.data.user._id
  if (role === "admin") await site.db.updateTable("users").set({ role }).where("id", "=", id).execute()
  return { id, email, token }
}

/** The user's audit records, oldest first. */
export async function auditOf(site: TestApp, userId: string) {
  return site.db
    .selectFrom("audit_records")
    .select(["action", "actor_id", "actor_address", "before", "after"])
    .where("entity", "=", "user")
    .where("entity_id", "=", userId)
    .orderBy("id")
    .execute()
}
