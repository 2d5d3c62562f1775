const sentences = {
  EMPTY: "O código está vazio",
  TOO_LONG: "O código passa de 512 caracteres",
  BAD_TAG: "Identificador de campo inválido",
  BAD_LENGTH: "Tamanho de campo inválido",
  DUPLICATE_TAG: "Campo repetido",
  BAD_FORMAT: "O código não começa com 000201",
  CRC_NOT_LAST: "O código não termina com o CRC (campo 63)",
  CRC_MISMATCH: "CRC não confere",
  NO_GUI: "Falta o identificador do arranjo de pagamento",
  NOT_PIX: "O código não é um Pix",
  SEVERAL_PIX: "O código traz mais de uma conta Pix",
  BAD_CHARACTER: "O código tem caracteres não permitidos",
  BAD_INITIATION: "Forma de iniciação diferente de 11 e 12",
  KEY_AND_URL: "O código traz chave Pix e endereço de cobrança ao mesmo tempo",
  NO_KEY_NOR_URL: "O código não traz chave Pix nem endereço de cobrança",
  BAD_MCC: "Categoria do recebedor ausente ou inválida",
  BAD_CURRENCY: "Moeda ausente ou diferente do real (986)",
  BAD_COUNTRY: "País ausente ou diferente de BR",
  BAD_AMOUNT: "Valor inválido",
  MISSING_MERCHANTNAME: "Falta o nome do recebedor",
  MISSING_MERCHANTCITY: "Falta a cidade do recebedor",
  BAD_TXID: "O identificador da transação passa de 25 caracteres",
} as const

type RefusalReason = keyof typeof sentences
export type Refusal = { valid: false; reason: RefusalReason; error: string }

export function refuse(reason: RefusalReason): Refusal {
  return { valid: false, reason, error: sentences[reason] }
}

/** Positions are shown one-based. */
export function refuseAt(reason: RefusalReason, index: number): Refusal {
  return { valid: false, reason, error: `${sentences[reason]} na posição ${index + 1}` }
}

export function isRefusal(read: object): read is Refusal {
  return !Array.isArray(read) && "valid" in read
}
