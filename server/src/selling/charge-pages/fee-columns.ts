import type { FeeRule } from "@tilinta/contract/vocabulary/fee"
import type { Selectable } from "kysely"
import { columnList } from "#db/prepared"
import { integer } from "#db/rows-of"
import type { Schema } from "#db/schema"

/** The columns of a charge and of an invoice that hold the rule of its fee. Nothing else reads or writes them. */
export type FeeColumns = Pick<Selectable<Schema["charges"]>, "fee_basis_points">

/** For a statement that calls the table `charge`. */
export const feeColumnsOfCharge = columnList("charge.fee_basis_points")

export function feeRuleOf(row: FeeColumns): FeeRule {
  return { kind: "percent", basisPoints: row.fee_basis_points }
}

export function feeColumns(fee: FeeRule): FeeColumns {
  return { fee_basis_points: fee.basisPoints }
}

/** For a statement that writes many charges. */
export const feeColumnsOfDraft = {
  fee_basis_points: integer(({ fee }: { fee: FeeRule }) => feeColumns(fee).fee_basis_points),
}
