import { sql } from "kysely"
import type { Db } from "#db/transaction"

export interface UserDifference {
  what: string
  expected: string
  found: string
}

export async function findUserDifferences(db: Db): Promise<UserDifference[]> {
  const { rows } = await sql<UserDifference>`
    select 'total de usuários ' || coalesce(kept.role, real.role)
        || case when coalesce(kept.active, real.active) then ' ativos' else ' inativos' end as what,
      coalesce(real.count, 0)::text as expected, coalesce(kept.count, 0)::text as found
    from user_totals kept
    full join (select role, active, count(*) as count from users group by role, active) real
      on real.role = kept.role and real.active = kept.active
    where coalesce(kept.count, 0) <> coalesce(real.count, 0)`.execute(db)
  return rows
}
