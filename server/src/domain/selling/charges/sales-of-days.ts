import type { Db } from "#db/transaction"
import { readConversion, readSalesDays, type SalesDay } from "./charge-days-repository.ts"

export type { SalesDay } from "./charge-days-repository.ts"

interface DaysOfSeller {
  sellerId: string
  dayFrom: string
  dayTo: string
}

export async function salesOfDays(db: Db, days: DaysOfSeller): Promise<SalesDay[]> {
  return readSalesDays(db, days)
}

export async function conversionOfDays(db: Db, days: DaysOfSeller): Promise<{ generated: number; paid: number }> {
  return readConversion(db, days)
}
