import type { Db } from "#db/transaction"
import { getUser } from "#domain/people/users/get-user"
import { isId } from "#kit/ids"
import type { Charge } from "./charge.ts"
import { findChargeRow } from "./charges-repository.ts"

interface ShownCharge {
  charge: Charge & { pixCode: string }
  sellerName: string
}

/** A Pix with its code, for holders of the unguessable id. Null when there is none to show. */
export async function findShownCharge(db: Db, id: string): Promise<ShownCharge | null> {
  const charge = isId(id) ? await findChargeRow(db, id) : null
  if (charge === null || charge.pixCode === null) return null
  const seller = await getUser(db, charge.sellerId)
  return { charge: { ...charge, pixCode: charge.pixCode }, sellerName: seller.name }
}
