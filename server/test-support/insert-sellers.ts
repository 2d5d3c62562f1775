import type { Db } from "#db/transaction"
import { newId } from "#kit/ids"

/** Inserts many sellers; the first is 'Vendedor 0', `vendedor0@loja.example`. Returns their ids. */
export async function insertSellers(db: Db, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, number) => ({
    id: newId(),
    name: `Vendedor ${number}`,
    email: `vendedor${number}@loja.example`,
    email_key: `vendedor${number}@loja.example`,
    password_hash: "none",
    address: "{}",
    cpf: "",
    phone: "",
    role: "user" as const,
  }))
  for (let start = 0; start < count; start += 500) {
    await db
      .insertInto("users")
      .values(rows.slice(start, start + 500))
      .execute()
  }
  return rows.map(({ id }) => id)
}
