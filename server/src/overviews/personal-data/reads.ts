import { sql } from "kysely"
import { accessOf, accountOf } from "./account-reads.ts"
import { type Dataset, jsonColumn, momentColumn, moneyColumn, textColumn, valueColumn } from "./columns-reads.ts"

/** Everything about an account, a file each. No secret, no hash of one, and nothing of other accounts. */
export function datasetsOf(userId: string): Dataset[] {
  return [...accountOf(userId), ...accessOf(userId), ...salesOf(userId), ...moneyOf(userId), ...recordsOf(userId)]
}

function salesOf(userId: string): Dataset[] {
  return [
    {
      file: "paginas_de_cobranca",
      columns: [
        valueColumn("id", "ID", "page.id"),
        textColumn("title", "Título", "page.title"),
        textColumn("description", "Descrição", "page.description"),
        moneyColumn("amount", "Valor (R$), o mínimo quando quem paga escolhe", "page.amount_cents"),
        moneyColumn("maxAmount", "Valor máximo (R$)", "page.max_amount_cents"),
        jsonColumn("suggestions", "Sugestões de valor (R$)", "page.suggested_reais"),
        textColumn("link", "Código do link", "page.unique_link"),
        textColumn("slug", "Link personalizado", "page.slug"),
        textColumn("status", "Status", "page.status"),
        valueColumn("paymentsCount", "Pagamentos", "page.payments_count"),
        textColumn("externalReference", "Referência", "ordered.external_reference"),
        jsonColumn("metadata", "Pares", "ordered.metadata"),
        momentColumn("createdAt", "Criada em", "page.created_at"),
        momentColumn("updatedAt", "Última alteração", "page.updated_at"),
      ],
      source: sql`(
          select *, (select jsonb_agg(cents / 100.0 order by place)
            from unnest(suggested_cents) with ordinality as suggested (cents, place)) as suggested_reais
          from charge_pages
        ) page left join orders ordered on ordered.page_id = page.id
        where page.seller_id = ${userId} and page.deleted_at is null and not page.is_unlisted
        order by page.created_at desc, page.id desc`,
    },
    {
      file: "clientes",
      columns: [
        valueColumn("id", "ID", "customer.id"),
        textColumn("name", "Nome", "customer.name"),
        textColumn("document", "CPF ou CNPJ", "customer.document"),
        textColumn("email", "E-mail", "customer.email"),
        textColumn("phone", "Telefone", "customer.phone"),
        jsonColumn("address", "Endereço", "customer.address"),
        textColumn("notes", "Anotações", "customer.notes"),
        textColumn("externalReference", "Referência", "customer.external_reference"),
        momentColumn("createdAt", "Cadastro", "customer.created_at"),
        momentColumn("updatedAt", "Última alteração", "customer.updated_at"),
        momentColumn("archivedAt", "Arquivado em", "customer.archived_at"),
      ],
      source: sql`customers customer where customer.seller_id = ${userId} and customer.erased_at is null
        order by customer.name_key, customer.id`,
    },
    {
      file: "cobrancas_com_vencimento",
      columns: [
        valueColumn("id", "ID", "invoice.id"),
        valueColumn("customerId", "ID do cliente", "invoice.customer_id"),
        textColumn("description", "Descrição", "invoice.description"),
        moneyColumn("amount", "Valor original (R$)", "invoice.amount_cents"),
        valueColumn("dueDate", "Vencimento", "invoice.due_day"),
        valueColumn("lastDay", "Pode ser paga até", "invoice.last_day"),
        jsonColumn("terms", "Multa, juros e descontos", "invoice.terms"),
        textColumn("link", "Código do link", "invoice.unique_link"),
        jsonColumn("order", "Referência e pares", "invoice.order_data"),
        textColumn("status", "Status", "invoice.status"),
        textColumn("settledFor", "Recebida por fora", "invoice.settled_for"),
        valueColumn("chargeId", "ID da transação", "invoice.charge_id"),
        moneyColumn("paidAmount", "Pago (R$)", "invoice.paid_cents"),
        momentColumn("createdAt", "Criada em", "invoice.created_at"),
        momentColumn("updatedAt", "Última alteração", "invoice.updated_at"),
        momentColumn("paidAt", "Paga em", "invoice.paid_at"),
      ],
      source: sql`invoices invoice where invoice.seller_id = ${userId} order by invoice.due_day desc, invoice.id desc`,
    },
    {
      file: "planos",
      columns: [
        valueColumn("id", "ID", "plan.id"),
        textColumn("title", "Nome", "plan.title"),
        textColumn("description", "Descrição", "plan.description"),
        textColumn("slug", "Endereço", "plan.slug"),
        moneyColumn("amount", "Valor (R$)", "plan.amount_cents"),
        textColumn("period", "Período", "plan.period"),
        valueColumn("cycles", "Número de cobranças", "plan.cycles"),
        valueColumn("leadDays", "Dias de antecedência", "plan.lead_days"),
        jsonColumn("terms", "Multa e juros", "plan.terms"),
        momentColumn("createdAt", "Criado em", "plan.created_at"),
        momentColumn("archivedAt", "Arquivado em", "plan.archived_at"),
      ],
      source: sql`plans plan where plan.seller_id = ${userId} order by plan.created_at desc, plan.id desc`,
    },
    {
      file: "assinaturas",
      columns: [
        valueColumn("id", "ID", "subscription.id"),
        valueColumn("customerId", "ID do cliente", "subscription.customer_id"),
        valueColumn("planId", "ID do plano", "subscription.plan_id"),
        textColumn("title", "Nome", "subscription.title"),
        moneyColumn("amount", "Valor (R$)", "subscription.amount_cents"),
        textColumn("period", "Período", "subscription.period"),
        valueColumn("firstDueDate", "Primeiro vencimento", "subscription.first_due_day"),
        valueColumn("endsOn", "Vai até", "subscription.ends_on"),
        valueColumn("cycles", "Número de cobranças", "subscription.cycles"),
        valueColumn("issued", "Cobradas", "subscription.issued"),
        valueColumn("nextDueDate", "Próximo vencimento", "subscription.next_due_day"),
        jsonColumn("terms", "Multa, juros e descontos", "subscription.terms"),
        textColumn("link", "Código do link", "subscription.unique_link"),
        textColumn("status", "Status", "subscription.status"),
        momentColumn("createdAt", "Criada em", "subscription.created_at"),
        momentColumn("updatedAt", "Última alteração", "subscription.updated_at"),
        momentColumn("endedAt", "Terminou em", "subscription.ended_at"),
      ],
      source: sql`subscriptions subscription where subscription.seller_id = ${userId}
        order by subscription.created_at desc, subscription.id desc`,
    },
    {
      file: "lembretes",
      columns: [
        valueColumn("id", "ID", "reminder.id"),
        valueColumn("invoiceId", "ID da cobrança", "reminder.invoice_id"),
        textColumn("step", "Etapa", "reminder.step"),
        textColumn("channel", "Canal", "reminder.channel"),
        textColumn("status", "Status", "reminder.status"),
        moneyColumn("amount", "Valor do dia (R$)", "reminder.amount_cents"),
        momentColumn("createdAt", "Criado em", "reminder.created_at"),
        momentColumn("sentAt", "Enviado em", "reminder.sent_at"),
      ],
      source: sql`reminders reminder where reminder.seller_id = ${userId} order by reminder.id desc`,
    },
    {
      file: "regua_de_cobranca",
      columns: [
        valueColumn("enabled", "Ligada", "chosen.enabled"),
        jsonColumn("steps", "Etapas e textos próprios", "chosen.steps"),
        momentColumn("updatedAt", "Última alteração", "chosen.updated_at"),
      ],
      source: sql`reminder_settings chosen where chosen.seller_id = ${userId}`,
    },
    {
      file: "transacoes",
      columns: [
        valueColumn("id", "ID", "charge.id"),
        valueColumn("pageId", "ID da página", "charge.page_id"),
        textColumn("pageTitle", "Página de cobrança", "charge.page_title"),
        textColumn("description", "Descrição", "charge.description"),
        moneyColumn("amount", "Valor bruto (R$)", "charge.amount_cents"),
        moneyColumn("fee", "Taxa (R$)", "charge.fee_cents"),
        moneyColumn("netAmount", "Valor líquido (R$)", "charge.net_cents"),
        moneyColumn("refundedAmount", "Estornado (R$)", "charge.refunded_cents"),
        textColumn("status", "Status", "charge.status"),
        textColumn("txid", "txid", "charge.txid"),
        textColumn("endToEndId", "ID do Pix", "charge.end_to_end_id"),
        textColumn("payerName", "Cliente", "charge.payer_name"),
        textColumn("payerEmail", "E-mail do cliente", "charge.payer_email"),
        textColumn("payerDocument", "CPF ou CNPJ do cliente", "charge.payer_document"),
        textColumn("payerPhone", "Telefone do cliente", "charge.payer_phone"),
        momentColumn("createdAt", "Criada em", "charge.created_at"),
        momentColumn("paidAt", "Paga em", "charge.paid_at"),
      ],
      source: sql`charges charge where charge.seller_id = ${userId} and charge.status <> 'creating'
        order by charge.created_at desc, charge.id desc`,
    },
  ]
}

function moneyOf(userId: string): Dataset[] {
  return [
    {
      file: "favoritos_do_balcao",
      columns: [
        jsonColumn("favourites", "Favoritos", "counter.favourites"),
        momentColumn("updatedAt", "Última alteração", "counter.updated_at"),
      ],
      source: sql`counter_favourites counter where counter.seller_id = ${userId}`,
    },
    {
      file: "vendas_no_balcao",
      columns: [
        valueColumn("chargeId", "ID da transação", "sale.charge_id"),
        valueColumn("shopId", "ID da loja", "sale.seller_id"),
        valueColumn("soldByYou", "Vendida por você", "sale.is_own"),
        momentColumn("createdAt", "Criada em", "sale.created_at"),
        valueColumn("shiftId", "ID do turno", "sale.shift_id"),
      ],
      source: sql`(select *, sold_by = ${userId} as is_own from counter_sales) sale
        where sale.seller_id = ${userId} or sale.is_own order by sale.created_at desc, sale.charge_id desc`,
    },
    {
      file: "turnos_do_balcao",
      columns: [
        valueColumn("id", "ID", "shift.id"),
        valueColumn("shopId", "ID da loja", "shift.seller_id"),
        valueColumn("closedByYou", "Fechado por você", "shift.is_own"),
        momentColumn("closedAt", "Fechado em", "shift.closed_at"),
      ],
      source: sql`(select *, person_id = ${userId} as is_own from counter_shifts) shift
        where shift.seller_id = ${userId} or shift.is_own order by shift.closed_at desc, shift.id desc`,
    },
    {
      file: "pedidos_de_estorno",
      columns: [
        valueColumn("chargeId", "ID da transação", "request.charge_id"),
        textColumn("reason", "Motivo", "request.reason"),
        valueColumn("askedByYou", "Pedido por você", "request.is_own"),
        momentColumn("askedAt", "Pedido em", "request.asked_at"),
        momentColumn("decidedAt", "Decidido em", "request.decided_at"),
        valueColumn("refundId", "ID do estorno", "request.refund_id"),
      ],
      source: sql`(select *, asked_by = ${userId} as is_own from refund_requests) request
        where request.seller_id = ${userId} or request.is_own order by request.asked_at desc, request.id desc`,
    },
    {
      file: "saques",
      columns: [
        valueColumn("id", "ID", "withdrawal.id"),
        moneyColumn("amount", "Valor (R$)", "withdrawal.amount_cents"),
        textColumn("status", "Status", "withdrawal.status"),
        textColumn("method", "Método", "withdrawal.method"),
        textColumn("pixKey", "Chave Pix", "withdrawal.pix_key"),
        jsonColumn("bankData", "Dados bancários", "withdrawal.bank_data"),
        textColumn("endToEndId", "ID do Pix", "withdrawal.end_to_end_id"),
        textColumn("adminNotes", "Observações", "withdrawal.admin_notes"),
        textColumn("failureReason", "Motivo da recusa", "withdrawal.failure_reason"),
        momentColumn("createdAt", "Solicitado em", "withdrawal.created_at"),
        momentColumn("approvedAt", "Aprovado em", "withdrawal.approved_at"),
        momentColumn("processedAt", "Finalizado em", "withdrawal.processed_at"),
      ],
      source: sql`withdrawals withdrawal where withdrawal.seller_id = ${userId}
        order by withdrawal.created_at desc, withdrawal.id desc`,
    },
    {
      file: "destinos_de_saque",
      columns: [
        textColumn("method", "Método", "destination.method"),
        textColumn("pixKey", "Chave Pix", "destination.pix_key"),
        jsonColumn("bankData", "Dados bancários", "destination.bank_data"),
        momentColumn("firstUsedAt", "Primeiro uso", "destination.first_used_at"),
        momentColumn("lastUsedAt", "Último uso", "destination.last_used_at"),
        textColumn("confirmedBy", "Confirmado por", "destination.confirmed_by"),
        textColumn("owner", "De quem é", "destination.owner"),
        textColumn("ownerReason", "Motivo", "destination.owner_reason"),
        momentColumn("removedAt", "Removido em", "destination.removed_at"),
        textColumn("automatic", "Saque automático", "rule.every"),
        moneyColumn("automaticAbove", "Acima de (R$)", "rule.above_cents"),
      ],
      source: sql`destinations destination left join withdrawal_rules rule on rule.destination_id = destination.id
        where destination.seller_id = ${userId}`,
    },
    {
      file: "contestacoes",
      columns: [
        valueColumn("id", "ID", "dispute.id"),
        valueColumn("chargeId", "ID da transação", "dispute.charge_id"),
        moneyColumn("amount", "Valor (R$)", "dispute.amount_cents"),
        textColumn("reason", "Motivo", "dispute.reason"),
        textColumn("state", "Situação", "dispute.state"),
        textColumn("defence", "Defesa", "dispute.defence"),
        momentColumn("openedAt", "Aberta em", "dispute.opened_at"),
        momentColumn("closedAt", "Encerrada em", "dispute.closed_at"),
      ],
      source: sql`disputes dispute where dispute.seller_id = ${userId} order by dispute.opened_at desc, dispute.id desc`,
    },
  ]
}

function recordsOf(userId: string): Dataset[] {
  const columns = [
    momentColumn("happenedAt", "Data", "record.happened_at"),
    textColumn("action", "Ação", "record.action"),
    textColumn("entity", "Tipo", "record.entity"),
    textColumn("entityId", "ID", "record.entity_id"),
    jsonColumn("before", "Antes", "record.before"),
    jsonColumn("after", "Depois", "record.after"),
    textColumn("requestId", "ID da requisição", "record.request_id"),
  ]
  const whence = [
    textColumn("address", "Endereço IP", "record.actor_address"),
    textColumn("device", "Dispositivo", "record.actor_device"),
  ]
  return [
    {
      file: "auditoria_do_que_voce_fez",
      columns: [...columns, ...whence],
      source: sql`audit_records record where record.actor_id = ${userId} order by record.happened_at desc, record.id desc`,
    },
    {
      // Addresses of others who acted here, as administrators, are theirs.
      file: "auditoria_da_sua_conta",
      columns,
      source: sql`audit_records record where record.entity = 'user' and record.entity_id = ${userId}
        order by record.happened_at desc, record.id desc`,
    },
  ]
}
