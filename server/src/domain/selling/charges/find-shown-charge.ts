import type { Db } from "#db/transaction"
import { getUser } from "#domain/people/users/get-user"
import { isId } from "#kit/ids"
import { type Charge, chargeStatusAt } from "./charge.ts"
import { findChargeRow } from "./charges-repository.ts"

interface ShownCharge {
  charge: Charge & { pixCode: string }
  sellerName: string
}

/** The code of a Pix that may still be paid, for holders of the unguessable id. */
export async function payableCodeOf(db: Db, id: string, now: Date): Promise<string | null> {
  const charge = isId(id) ? await findChargeRow(db, id) : null
  return charge !== null && chargeStatusAt(charge, now) === "pending" ? charge.pixCode : null
}

/** A Pix with its code, for holders of the unguessable id. Null when there is none to show. */
export async function findShownCharge(db: Db, id: string): Promise<ShownCharge | null> {
  const charge = isId(id) ? await findChargeRow(db, id) : null
  if (charge === null || charge.pixCode === null) return null
  const seller = await getUser(db, charge.sellerId)
  return { charge: { ...charge, pixCode: charge.pixCode }, sellerName: seller.name }
}
