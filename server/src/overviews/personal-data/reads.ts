import { type RawBuilder, sql } from "kysely"
import { momentCell, moneyCell, textCell } from "#db/csv"

/** Everything about an account, a file each. No secret, no hash of one, and nothing of other accounts. */
export function datasetsOf(userId: string): Dataset[] {
  return [...accountOf(userId), ...accessOf(userId), ...salesOf(userId), ...moneyOf(userId), ...recordsOf(userId)]
}

function accountOf(userId: string): Dataset[] {
  return [
    {
      file: "perfil",
      columns: [
        plain("id", "ID", "own.id"),
        text("name", "Nome", "own.name"),
        text("email", "E-mail", "own.email"),
        text("cpf", "CPF", "own.cpf"),
        text("phone", "Telefone", "own.phone"),
        json("address", "Endereço", "own.address"),
        json("bankAccount", "Dados bancários", "own.bank_account"),
        text("role", "Perfil de acesso", "own.role"),
        plain("active", "Conta ativa", "own.active"),
        text("emailState", "Confirmação do e-mail", "own.email_state"),
        text("paymentMails", "E-mails de pagamento", "own.payment_mails"),
        moment("createdAt", "Cadastro", "own.created_at"),
        moment("updatedAt", "Última alteração", "own.updated_at"),
      ],
      rows: sql`from users own where own.id = ${userId}`,
    },
    {
      file: "termos_aceitos",
      columns: [
        text("kind", "Texto", "accepted.kind"),
        plain("version", "Versão", "accepted.version"),
        moment("acceptedAt", "Aceito em", "accepted.accepted_at"),
      ],
      rows: sql`from legal_acceptances accepted where accepted.user_id = ${userId}`,
    },
    {
      file: "avisos",
      columns: [
        moment("toldAt", "Data", "notice.told_at"),
        moment("readAt", "Lido em", "notice.read_at"),
        json("content", "Conteúdo", "notice.content"),
      ],
      rows: sql`from notices notice where notice.user_id = ${userId} order by notice.told_at desc, notice.id desc`,
    },
  ]
}

function accessOf(userId: string): Dataset[] {
  return [
    {
      file: "sessoes",
      columns: [
        moment("createdAt", "Início", "session.created_at"),
        moment("lastUsedAt", "Último uso", "session.last_used_at"),
        moment("expiresAt", "Vence em", "session.expires_at"),
        text("address", "Endereço IP", "session.address"),
        text("lastAddress", "Último endereço IP", "session.last_address"),
        text("device", "Dispositivo", "session.user_agent"),
      ],
      rows: sql`from sessions session where session.user_id = ${userId}`,
    },
    {
      file: "dispositivos",
      columns: [moment("createdAt", "Conhecido desde", "device.created_at")],
      rows: sql`from known_devices device where device.user_id = ${userId}`,
    },
    {
      file: "chaves_de_acesso",
      columns: [
        text("name", "Nome", "passkey.name"),
        moment("createdAt", "Criada em", "passkey.created_at"),
        moment("lastUsedAt", "Último uso", "passkey.last_used_at"),
      ],
      rows: sql`from passkeys passkey where passkey.user_id = ${userId}`,
    },
    {
      file: "chaves_de_api",
      columns: [
        plain("id", "ID", "own_key.id"),
        text("name", "Nome", "own_key.name"),
        text("hint", "Começo e fim", "own_key.hint"),
        json("scopes", "Permissões", "own_key.scope_list"),
        moment("createdAt", "Criada em", "own_key.created_at"),
        moment("expiresAt", "Vence em", "own_key.expires_at"),
        moment("lastUsedAt", "Último uso", "own_key.last_used_at"),
        text("lastUsedAddress", "Endereço IP do último uso", "own_key.last_used_address"),
        moment("revokedAt", "Revogada em", "own_key.revoked_at"),
      ],
      rows: sql`from (select *, to_jsonb(scopes) as scope_list from api_keys) own_key where own_key.user_id = ${userId}`,
    },
    {
      file: "webhooks",
      columns: [
        plain("id", "ID", "endpoint.id"),
        text("url", "Endereço", "endpoint.url"),
        json("types", "Eventos", "endpoint.type_list"),
        moment("createdAt", "Cadastrado em", "endpoint.created_at"),
        moment("lastDeliveredAt", "Última entrega", "endpoint.last_delivered_at"),
      ],
      rows: sql`from (select *, to_jsonb(types) as type_list from webhook_endpoints) endpoint
        where endpoint.seller_id = ${userId} and endpoint.deleted_at is null`,
    },
  ]
}

function salesOf(userId: string): Dataset[] {
  return [
    {
      file: "paginas_de_cobranca",
      columns: [
        plain("id", "ID", "page.id"),
        text("title", "Título", "page.title"),
        text("description", "Descrição", "page.description"),
        money("amount", "Valor (R$)", "page.amount_cents"),
        text("link", "Código do link", "page.unique_link"),
        text("slug", "Link personalizado", "page.slug"),
        text("status", "Status", "page.status"),
        plain("paymentsCount", "Pagamentos", "page.payments_count"),
        text("externalReference", "Referência", "ordered.external_reference"),
        json("metadata", "Pares", "ordered.metadata"),
        moment("createdAt", "Criada em", "page.created_at"),
        moment("updatedAt", "Última alteração", "page.updated_at"),
      ],
      rows: sql`from charge_pages page left join orders ordered on ordered.page_id = page.id
        where page.seller_id = ${userId} and page.deleted_at is null order by page.created_at desc, page.id desc`,
    },
    {
      file: "transacoes",
      columns: [
        plain("id", "ID", "charge.id"),
        plain("pageId", "ID da página", "charge.page_id"),
        text("pageTitle", "Página de cobrança", "charge.page_title"),
        text("description", "Descrição", "charge.description"),
        money("amount", "Valor bruto (R$)", "charge.amount_cents"),
        money("fee", "Taxa (R$)", "charge.fee_cents"),
        money("netAmount", "Valor líquido (R$)", "charge.net_cents"),
        money("refundedAmount", "Estornado (R$)", "charge.refunded_cents"),
        text("status", "Status", "charge.status"),
        text("txid", "txid", "charge.txid"),
        text("endToEndId", "ID do Pix", "charge.end_to_end_id"),
        text("payerName", "Cliente", "charge.payer_name"),
        text("payerEmail", "E-mail do cliente", "charge.payer_email"),
        text("payerCpf", "CPF do cliente", "charge.payer_cpf"),
        text("payerPhone", "Telefone do cliente", "charge.payer_phone"),
        moment("createdAt", "Criada em", "charge.created_at"),
        moment("paidAt", "Paga em", "charge.paid_at"),
      ],
      rows: sql`from charges charge where charge.seller_id = ${userId} and charge.status <> 'creating'
        order by charge.created_at desc, charge.id desc`,
    },
  ]
}

function moneyOf(userId: string): Dataset[] {
  return [
    {
      file: "saques",
      columns: [
        plain("id", "ID", "withdrawal.id"),
        money("amount", "Valor (R$)", "withdrawal.amount_cents"),
        text("status", "Status", "withdrawal.status"),
        text("method", "Método", "withdrawal.method"),
        text("pixKey", "Chave Pix", "withdrawal.pix_key"),
        json("bankData", "Dados bancários", "withdrawal.bank_data"),
        text("endToEndId", "ID do Pix", "withdrawal.end_to_end_id"),
        text("adminNotes", "Observações", "withdrawal.admin_notes"),
        text("failureReason", "Motivo da recusa", "withdrawal.failure_reason"),
        moment("createdAt", "Solicitado em", "withdrawal.created_at"),
        moment("approvedAt", "Aprovado em", "withdrawal.approved_at"),
        moment("processedAt", "Finalizado em", "withdrawal.processed_at"),
      ],
      rows: sql`from withdrawals withdrawal where withdrawal.seller_id = ${userId}
        order by withdrawal.created_at desc, withdrawal.id desc`,
    },
    {
      file: "destinos_de_saque",
      columns: [
        text("method", "Método", "destination.method"),
        text("pixKey", "Chave Pix", "destination.pix_key"),
        json("bankData", "Dados bancários", "destination.bank_data"),
        moment("firstUsedAt", "Primeiro uso", "destination.first_used_at"),
        moment("lastUsedAt", "Último uso", "destination.last_used_at"),
        text("confirmedBy", "Confirmado por", "destination.confirmed_by"),
        moment("removedAt", "Removido em", "destination.removed_at"),
      ],
      rows: sql`from destinations destination where destination.seller_id = ${userId}`,
    },
    {
      file: "contestacoes",
      columns: [
        plain("id", "ID", "dispute.id"),
        plain("chargeId", "ID da transação", "dispute.charge_id"),
        money("amount", "Valor (R$)", "dispute.amount_cents"),
        text("reason", "Motivo", "dispute.reason"),
        text("state", "Situação", "dispute.state"),
        text("defence", "Defesa", "dispute.defence"),
        moment("openedAt", "Aberta em", "dispute.opened_at"),
        moment("closedAt", "Encerrada em", "dispute.closed_at"),
      ],
      rows: sql`from disputes dispute where dispute.seller_id = ${userId} order by dispute.opened_at desc, dispute.id desc`,
    },
  ]
}

function recordsOf(userId: string): Dataset[] {
  const columns = [
    moment("happenedAt", "Data", "record.happened_at"),
    text("action", "Ação", "record.action"),
    text("entity", "Tipo", "record.entity"),
    text("entityId", "ID", "record.entity_id"),
    json("before", "Antes", "record.before"),
    json("after", "Depois", "record.after"),
    text("requestId", "ID da requisição", "record.request_id"),
  ]
  const whence = [
    text("address", "Endereço IP", "record.actor_address"),
    text("device", "Dispositivo", "record.actor_device"),
  ]
  return [
    {
      file: "auditoria_do_que_voce_fez",
      columns: [...columns, ...whence],
      rows: sql`from audit_records record where record.actor_id = ${userId} order by record.happened_at desc, record.id desc`,
    },
    {
      // Addresses of others who acted here, as administrators, are theirs.
      file: "auditoria_da_sua_conta",
      columns,
      rows: sql`from audit_records record where record.entity = 'user' and record.entity_id = ${userId}
        order by record.happened_at desc, record.id desc`,
    },
  ]
}

type Kind = "text" | "moment" | "money" | "plain" | "json"

/** One column of a file: its name in JSON, its heading in CSV, and where it comes from, as `table.column`. */
interface Column {
  key: string
  label: string
  from: string
  kind: Kind
}

export interface Dataset {
  /** The file's name without its ending. */
  file: string
  columns: readonly Column[]
  /** From `from` on, in the order of an index, so that rows leave as they are read. */
  rows: RawBuilder<unknown>
}

const columnOf = (kind: Kind) => (key: string, label: string, from: string) => ({ key, label, from, kind })

const text = columnOf("text")
const moment = columnOf("moment")
const money = columnOf("money")
/** Numbers, yes and no, ids. */
const plain = columnOf("plain")
const json = columnOf("json")

const csvCells: Record<Kind, (column: string) => RawBuilder<unknown>> = {
  text: textCell,
  moment: momentCell,
  money: moneyCell,
  plain: (column) => sql.ref(column),
  json: (column) => sql`${sql.ref(column)}::text`,
}

const jsonValues: Record<Kind, (column: string) => RawBuilder<unknown>> = {
  text: (column) => sql.ref(column),
  moment: (column) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  money: (column) => sql`${sql.ref(column)} / 100.0`,
  plain: (column) => sql.ref(column),
  json: (column) => sql.ref(column),
}

export function csvOf({ columns, rows }: Dataset): RawBuilder<unknown> {
  const cells = columns.map(({ label, from, kind }) => sql`${csvCells[kind](from)} as ${sql.ref(label)}`)
  return sql`select ${sql.join(cells)} ${rows}`
}

export function jsonOf({ columns, rows }: Dataset): RawBuilder<unknown> {
  const values = columns.map(({ key, from, kind }) => sql`${key}::text, ${jsonValues[kind](from)}`)
  return sql`select jsonb_build_object(${sql.join(values)}) ${rows}`
}
