const calls: Readonly<Record<string, string>> = {
  createCharge: "Criar cobrança",
  removeCharge: "Remover cobrança",
  findReceiptsOfCharge: "Consultar pagamentos de uma cobrança",
  findReceipt: "Consultar pagamento",
  listReceipts: "Listar recebimentos",
  listRefundedReceipts: "Listar recebimentos estornados",
  registerWebhook: "Registrar webhook",
  requestRefund: "Pedir estorno",
  findRefund: "Consultar estorno",
  "payouts.send": "Enviar saque",
  "payouts.find": "Consultar saque",
  "payouts.list": "Listar saques enviados",
  "disputes.find": "Consultar contestação",
  "disputes.list": "Listar contestações",
  "disputes.defend": "Enviar defesa",
}

/** The failed call in words; an unknown call keeps its own name. */
export function callWords(call: string): string {
  return calls[call] ?? call
}
