import pg from "pg"

/** Sessions of the database's owner, also where there are none of the product's roles. Statements aren't compiled, as in the product. */
export function createOwnerPool(connectionString: string, max: number): pg.Pool {
  return new pg.Pool({ connectionString, max, options: "-c jit=off" })
}
