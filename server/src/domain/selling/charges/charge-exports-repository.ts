import { erasedDataLabel } from "@tilinta/contract/vocabulary/payer-data"
import { paidStatuses, sellerStatusLabels, sellerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import { type RawBuilder, sql } from "kysely"
import { cpfCell, labelCell, momentCell, moneyCell, phoneCell, textCell } from "#db/csv-cells"
import { wordList } from "#db/sql-part"
import { GRACE_MS } from "./charge.ts"
import { type ChargeFilter, chargesFound } from "./charge-lists-repository.ts"

/** The list's rows in the list's order, each with the status that the list shows. */
export function chargesForSeller(filter: ChargeFilter, now: Date): RawBuilder<unknown> {
  return sql`
    select
      ${momentCell("charge.created_at")} as "Data",
      ${columns(now, sellersLabels, sellersPayer)}
    from (${chargesFound(filter)}) charge ${itsOrder}
    order by charge.created_at desc, charge.id desc`
}

export function chargesForAdmin(filter: ChargeFilter, now: Date): RawBuilder<unknown> {
  return sql`
    select
      ${momentCell("charge.created_at")} as "Data",
      ${textCell("seller.name")} as "Vendedor",
      ${textCell("seller.email")} as "E-mail do vendedor",
      ${columns(now, adminsLabels, payerName)}
    from (${chargesFound(filter)}) charge join users seller on seller.id = charge.seller_id ${itsOrder}
    order by charge.created_at desc, charge.id desc`
}

const itsOrder = sql`left join orders ordered on ordered.page_id = charge.page_id`

const sellersLabels = Object.fromEntries(
  Object.entries(sellerStatusOf).map(([status, word]) => [status, sellerStatusLabels[word]]),
)
const adminsLabels = { ...sellersLabels, paid: "Aprovado" }

const payerName = sql`
    case when charge.payer_erased_at is null then ${textCell("charge.payer_name")} else ${erasedDataLabel} end as "Cliente"`
/** The seller asked for these data; whoever runs the platform doesn't need them in a file. */
const sellersPayer = sql`${payerName},
    ${textCell("charge.payer_email")} as "E-mail do cliente",
    ${cpfCell("charge.payer_cpf")} as "CPF do cliente",
    ${phoneCell("charge.payer_phone")} as "Telefone do cliente"`

function columns(now: Date, labels: Record<string, string>, payer: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${textCell("charge.description")} as "Descrição",
    ${textCell("charge.page_title")} as "Página de cobrança",
    ${payer},
    ${moneyCell("charge.amount_cents")} as "Valor bruto (R$)",
    ${moneyCell("charge.fee_cents")} as "Taxa (R$)",
    case when charge.status in ${wordList(paidStatuses)} then ${moneyCell("charge.net_cents")} end as "Valor líquido (R$)",
    ${moneyCell("charge.refunded_cents")} as "Estornado (R$)",
    ${labelCell(statusAt(now), labels)} as "Status",
    'PIX' as "Método",
    ${momentCell("charge.paid_at")} as "Pago em",
    charge.id as "ID da transação",
    charge.txid as "txid",
    ${textCell("charge.end_to_end_id")} as "ID do Pix",
    ${textCell("ordered.external_reference")} as "Referência"`
}

function statusAt(now: Date): RawBuilder<unknown> {
  const overSince = new Date(now.getTime() - GRACE_MS)
  return sql`case when charge.status = 'pending' and charge.expires_at <= ${overSince} then 'expired' else charge.status end`
}
