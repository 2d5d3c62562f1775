import type {
  UnmatchedPaymentReason,
  UnmatchedPaymentStatus,
} from "@tilinta/contract/vocabulary/unmatched-payment-status"
import type { BadgeTone } from "#ui/badge.tsx"

export const reasonWords = {
  unknown_txid: {
    label: "Sem cobrança",
    tone: "warning",
    explanation: "Chegou um Pix que não corresponde a nenhuma cobrança da plataforma.",
  },
  wrong_amount: {
    label: "Valor diferente",
    tone: "danger",
    explanation: "O valor pago não é o da cobrança, então ela não foi dada como paga.",
  },
  charge_already_paid: {
    label: "Cobrança já paga",
    tone: "danger",
    explanation: "Esta mesma cobrança já tinha sido paga antes.",
  },
  late: {
    label: "Fora do prazo",
    tone: "primary",
    explanation: "O pagamento chegou depois do fim da cobrança e já foi creditado ao vendedor.",
  },
  duplicate: {
    label: "Em duplicidade",
    tone: "primary",
    explanation: "A página já tinha recebido o seu pagamento; este também foi creditado ao vendedor.",
  },
} as const satisfies Record<UnmatchedPaymentReason, { label: string; tone: BadgeTone; explanation: string }>

export const statusWords = {
  open: { label: "A conferir", tone: "warning" },
  accepted: { label: "Aceito", tone: "success" },
  returning: { label: "Em devolução", tone: "primary" },
  returned: { label: "Devolvido", tone: "secondary" },
} as const satisfies Record<UnmatchedPaymentStatus, { label: string; tone: BadgeTone }>
