import { differenceKindLabels, differenceProblemLabels } from "@tilinta/contract/vocabulary/daily-close"
import { type RawBuilder, sql } from "kysely"
import { labelCell, momentCell, moneyCell, textCell } from "#db/csv-cells"

export function differencesForExport(closeId: string): RawBuilder<unknown> {
  return sql`
    select
      ${momentCell("difference.happened_at")} as "Data",
      ${labelCell(sql.ref("difference.kind"), differenceKindLabels)} as "Tipo",
      ${labelCell(sql.ref("difference.problem"), differenceProblemLabels)} as "Diferença",
      case when difference.is_mended then 'Sim' else 'Não' end as "Encontrado no fechamento",
      ${textCell("difference.reference")} as "Identificador",
      ${moneyCell("difference.our_cents")} as "Valor na plataforma (R$)",
      ${moneyCell("difference.bank_cents")} as "Valor no banco (R$)",
      ${textCell("difference.our_state")} as "Situação na plataforma",
      ${textCell("difference.bank_state")} as "Situação no banco",
      ${momentCell("difference.found_at")} as "Encontrada em"
    from daily_close_differences difference
    where difference.close_id = ${closeId}::uuid
    order by difference.close_id, difference.kind, difference.reference`
}
