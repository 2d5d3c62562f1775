import {
  approveManualEntryEndpoint,
  createManualEntryEndpoint,
  listManualEntriesEndpoint,
  refuseManualEntryEndpoint,
} from "../api/manual-entries-endpoints.ts"
import { defineExample } from "./define-example.ts"

const entry = {
  _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e2f",
  kind: "bank_tariff",
  direction: null,
  amount: 0.5,
  seller: null,
  reason: "Tarifas de novembro",
  reference: "EXT-2026-11",
  reverses: null,
  createdBy: { _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e30", name: "Bruno Lima" },
  createdAt: "2026-11-23T12:00:00.000Z",
  approvedBy: null,
  bookedAt: null,
  refusedBy: null,
  refusedAt: null,
  alone: false,
} as const

export const manualEntriesExamples = [
  defineExample(listManualEntriesEndpoint, {
    query: {},
    reply: { status: "success", data: { entries: [entry], next: null } },
    failures: [],
  }),
  defineExample(createManualEntryEndpoint, {
    body: { kind: "bank_tariff", amount: 0.5, reason: "Tarifas de novembro", reference: "EXT-2026-11" },
    reply: { status: "success", data: { entry } },
    failures: ["own_payout_above_fees", "insufficient_balance", "event_corrected", "idempotency_key_reused"],
  }),
  defineExample(approveManualEntryEndpoint, {
    params: { id: entry._id },
    reply: {
      status: "success",
      data: {
        entry: {
          ...entry,
          approvedBy: { _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e31", name: "Carla Dias" },
          bookedAt: "2026-11-23T12:30:00.000Z",
        },
      },
    },
    failures: [
      "not_found",
      "second_approver_needed",
      "manual_entry_booked",
      "manual_entry_refused",
      "manual_entry_orphaned",
    ],
  }),
  defineExample(refuseManualEntryEndpoint, {
    params: { id: entry._id },
    reply: {
      status: "success",
      data: {
        entry: {
          ...entry,
          refusedBy: { _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e31", name: "Carla Dias" },
          refusedAt: "2026-11-23T12:30:00.000Z",
        },
      },
    },
    failures: ["not_found", "manual_entry_booked"],
  }),
]
