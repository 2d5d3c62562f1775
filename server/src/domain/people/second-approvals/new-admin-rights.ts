import { FIRST_DAYS, NEW_ADMIN_HOURS } from "@tilinta/contract/vocabulary/second-approvals"
import type { Db } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { findFirstAccountAt } from "./second-approvals-repository.ts"

/** When somebody who becomes an administrator now may do more than look; null at once. */
export async function newAdminRightsFrom(db: Db, protection: Protection, now: Date): Promise<Date | null> {
  if (protection === "relaxed") return null
  const firstAt = await findFirstAccountAt(db)
  if (firstAt === null || now < secondsAfter(firstAt, FIRST_DAYS * 86_400)) return null
  return secondsAfter(now, NEW_ADMIN_HOURS * 3600)
}
