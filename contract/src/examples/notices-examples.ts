import { listMyNoticesEndpoint, markMyNoticesReadEndpoint } from "../api/notices-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const noticesExamples = [
  defineExample(listMyNoticesEndpoint, {
    query: { limit: "20" },
    reply: {
      status: "success",
      data: {
        notices: [
          {
            _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
            kind: "withdrawal_step",
            tone: "info",
            title: "Saque solicitado: R$ 250,00",
            text: "Chave Pix •••4725, em 21/11/2026 às 11:30.",
            facts: [],
            action: { label: "Ver meus saques", path: "/withdrawals" },
            note: "Se não foi você que pediu, troque a sua senha e fale com o suporte agora mesmo.",
            createdAt: "2026-11-21T14:30:00.000Z",
            readAt: null,
          },
        ],
        unread: 1,
        next: null,
      },
    },
    failures: [],
  }),
  defineExample(markMyNoticesReadEndpoint, {
    body: { ids: ["0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"] },
    failures: [],
  }),
]
