import { sql } from "kysely"
import { type Dataset, jsonColumn, momentColumn, moneyColumn, textColumn, valueColumn } from "./columns-reads.ts"

export function accountOf(userId: string): Dataset[] {
  return [
    {
      file: "perfil",
      columns: [
        valueColumn("id", "ID", "own.id"),
        textColumn("name", "Nome", "own.name"),
        textColumn("email", "E-mail", "own.email"),
        textColumn("cpf", "CPF", "own.cpf"),
        textColumn("phone", "Telefone", "own.phone"),
        jsonColumn("address", "Endereço", "own.address"),
        jsonColumn("bankAccount", "Dados bancários", "own.bank_account"),
        textColumn("role", "Perfil de acesso", "own.role"),
        valueColumn("active", "Conta ativa", "own.active"),
        textColumn("emailState", "Confirmação do e-mail", "own.email_state"),
        moneyColumn("feePercentage", "Taxa própria (%)", "own.fee_basis_points"),
        textColumn("paymentMails", "E-mails de pagamento", "own.payment_mails"),
        momentColumn("createdAt", "Cadastro", "own.created_at"),
        momentColumn("updatedAt", "Última alteração", "own.updated_at"),
      ],
      source: sql`users own where own.id = ${userId}`,
    },
    {
      file: "loja",
      columns: [
        textColumn("color", "Cor", "shop.color"),
        textColumn("whatsapp", "WhatsApp", "shop.whatsapp"),
        textColumn("email", "E-mail", "shop.email"),
        textColumn("closedText", "Texto de páginas encerradas", "shop.closed_text"),
        textColumn("logoPngBase64", "Logo (PNG em base64)", "shop.logo_text"),
        momentColumn("updatedAt", "Última alteração", "shop.updated_at"),
      ],
      source: sql`(select *, encode(logo, 'base64') as logo_text from shops) shop where shop.seller_id = ${userId}`,
    },
    {
      file: "nomes_da_loja",
      columns: [
        textColumn("name", "Nome", "named.name"),
        textColumn("document", "CPF ou CNPJ", "named.document"),
        momentColumn("since", "Desde", "named.since"),
      ],
      source: sql`shop_names named where named.seller_id = ${userId} order by named.id desc`,
    },
    {
      file: "termos_aceitos",
      columns: [
        textColumn("kind", "Texto", "accepted.kind"),
        valueColumn("version", "Versão", "accepted.version"),
        momentColumn("acceptedAt", "Aceito em", "accepted.accepted_at"),
      ],
      source: sql`legal_acceptances accepted where accepted.user_id = ${userId}`,
    },
    {
      file: "equipes",
      columns: [
        valueColumn("shopId", "ID da loja", "member.shop_id"),
        textColumn("role", "Papel", "member.role"),
        momentColumn("joinedAt", "Desde", "member.joined_at"),
      ],
      source: sql`shop_members member where member.user_id = ${userId} order by member.joined_at, member.shop_id`,
    },
    {
      file: "avisos",
      columns: [
        momentColumn("toldAt", "Data", "notice.told_at"),
        momentColumn("readAt", "Lido em", "notice.read_at"),
        jsonColumn("content", "Conteúdo", "notice.content"),
      ],
      source: sql`notices notice where notice.user_id = ${userId} order by notice.told_at desc, notice.id desc`,
    },
  ]
}

export function accessOf(userId: string): Dataset[] {
  return [
    {
      file: "sessoes",
      columns: [
        momentColumn("createdAt", "Início", "session.created_at"),
        momentColumn("lastUsedAt", "Último uso", "session.last_used_at"),
        momentColumn("expiresAt", "Vence em", "session.expires_at"),
        textColumn("address", "Endereço IP", "session.address"),
        textColumn("lastAddress", "Último endereço IP", "session.last_address"),
        textColumn("device", "Dispositivo", "session.user_agent"),
      ],
      source: sql`sessions session where session.user_id = ${userId} and session.viewer_id is null`,
    },
    {
      file: "dispositivos",
      columns: [momentColumn("createdAt", "Conhecido desde", "device.created_at")],
      source: sql`known_devices device where device.user_id = ${userId}`,
    },
    {
      file: "chaves_de_acesso",
      columns: [
        textColumn("name", "Nome", "passkey.name"),
        momentColumn("createdAt", "Criada em", "passkey.created_at"),
        momentColumn("lastUsedAt", "Último uso", "passkey.last_used_at"),
      ],
      source: sql`passkeys passkey where passkey.user_id = ${userId}`,
    },
    {
      file: "chaves_de_api",
      columns: [
        valueColumn("id", "ID", "own_key.id"),
        textColumn("name", "Nome", "own_key.name"),
        textColumn("hint", "Começo e fim", "own_key.hint"),
        jsonColumn("scopes", "Permissões", "own_key.scope_list"),
        momentColumn("createdAt", "Criada em", "own_key.created_at"),
        momentColumn("expiresAt", "Vence em", "own_key.expires_at"),
        momentColumn("lastUsedAt", "Último uso", "own_key.last_used_at"),
        textColumn("lastUsedAddress", "Endereço IP do último uso", "own_key.last_used_address"),
        momentColumn("revokedAt", "Revogada em", "own_key.revoked_at"),
      ],
      source: sql`(select *, to_jsonb(scopes) as scope_list from api_keys) own_key where own_key.user_id = ${userId}`,
    },
    {
      file: "webhooks",
      columns: [
        valueColumn("id", "ID", "endpoint.id"),
        textColumn("url", "Endereço", "endpoint.url"),
        jsonColumn("types", "Eventos", "endpoint.type_list"),
        momentColumn("createdAt", "Cadastrado em", "endpoint.created_at"),
        momentColumn("lastDeliveredAt", "Última entrega", "endpoint.last_delivered_at"),
      ],
      source: sql`(select *, to_jsonb(types) as type_list from webhook_endpoints) endpoint
        where endpoint.seller_id = ${userId} and endpoint.deleted_at is null`,
    },
  ]
}
