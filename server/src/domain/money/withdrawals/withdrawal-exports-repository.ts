import { withdrawalStatusLabels } from "@tilinta/contract/vocabulary/withdrawal-status"
import { type RawBuilder, sql } from "kysely"
import { cpfCell, labelCell, momentCell, moneyCell, textCell } from "#db/csv-cells"
import { type WithdrawalFilter, withdrawalConditions } from "./withdrawal-lists-repository.ts"

export function withdrawalsForAdmin(filter: WithdrawalFilter): RawBuilder<unknown> {
  return sql`
    select
      ${momentCell("withdrawal.created_at")} as "Data",
      ${textCell("seller.name")} as "Vendedor",
      ${textCell("seller.email")} as "E-mail do vendedor",
      ${cpfCell("seller.cpf")} as "CPF do vendedor",
      ${moneyCell("withdrawal.amount_cents")} as "Valor (R$)",
      ${labelCell(sql.ref("withdrawal.status"), withdrawalStatusLabels)} as "Status",
      ${labelCell(sql.ref("withdrawal.method"), { pix: "PIX", bank_transfer: "Transferência bancária" })} as "Método",
      ${textCell("withdrawal.pix_key")} as "Chave Pix",
      ${textCell("destination.bank")} as "Banco",
      ${textCell("destination.agency")} as "Agência",
      ${textCell("destination.account")} as "Conta",
      ${labelCell(sql.ref("destination.account_type"), { corrente: "Corrente", poupanca: "Poupança" })} as "Tipo de conta",
      ${textCell("withdrawal.admin_notes")} as "Observações",
      ${textCell("withdrawal.failure_reason")} as "Motivo da recusa",
      ${moneyCell("withdrawal.returned_cents")} as "Valor devolvido (R$)",
      ${textCell("withdrawal.return_reason")} as "Motivo da devolução",
      ${momentCell("withdrawal.approved_at")} as "Aprovado em",
      ${momentCell("withdrawal.processed_at")} as "Finalizado em",
      ${momentCell("withdrawal.returned_at")} as "Devolvido em",
      withdrawal.id as "ID do saque",
      ${textCell("withdrawal.end_to_end_id")} as "ID do Pix"
    from withdrawals withdrawal
    join users seller on seller.id = withdrawal.seller_id
    cross join lateral (
      select
        withdrawal.bank_data ->> 'bank' as bank,
        withdrawal.bank_data ->> 'agency' as agency,
        withdrawal.bank_data ->> 'account' as account,
        withdrawal.bank_data ->> 'accountType' as account_type
    ) destination
    where ${withdrawalConditions(filter)}
    order by withdrawal.created_at desc, withdrawal.id desc`
}
