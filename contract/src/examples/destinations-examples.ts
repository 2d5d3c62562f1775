import { listDestinationsEndpoint, removeDestinationEndpoint } from "../api/destinations-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const destinationsExamples = [
  defineExample(listDestinationsEndpoint, {
    reply: {
      status: "success",
      data: {
        destinations: [
          {
            _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
            paymentMethod: "pix",
            pixKey: "ana@loja.example",
            pixKeyType: "email",
            bankData: null,
            firstUsedAt: "2026-11-21T12:00:00.000Z",
            lastUsedAt: "2026-11-21T12:00:00.000Z",
            confirmedBy: null,
            heldUntil: null,
          },
        ],
        newDestinationHours: 0,
        heldUntil: null,
        frozenAt: null,
      },
    },
    failures: [],
  }),
  defineExample(removeDestinationEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    failures: ["not_found"],
  }),
]
