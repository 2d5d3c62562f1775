import { Reais } from "./amounts.tsx"
import type { Column } from "./data-table.tsx"

/** The amount that a card shows too; `toneOf` colours those that stand out. */
export function amountColumn<Row>(
  header: string,
  amountOf: (row: Row) => number,
  toneOf: (amount: number) => string = () => "",
): Column<Row> {
  const cell = (row: Row) => (
    <b className={`font-semibold whitespace-nowrap tabular-nums ${toneOf(amountOf(row))}`}>
      <Reais>{amountOf(row)}</Reais>
    </b>
  )
  return { header, area: "amount", end: true, cell }
}

/** An amount for which a card has no space. */
export function quietAmountColumn<Row>(header: string, amountOf: (row: Row) => number): Column<Row> {
  const cell = (row: Row) => (
    <span className="whitespace-nowrap text-t2 tabular-nums">
      <Reais>{amountOf(row)}</Reais>
    </span>
  )
  return { header, area: "none", end: true, cell }
}
