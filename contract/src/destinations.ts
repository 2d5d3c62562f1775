import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, requiredLines, success, successWithMessage, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { pixKeyKinds } from "./vocabulary/pix-key.ts"
import { ownerAlone } from "./vocabulary/team.ts"
import { destinationOwners, destinationProofs, withdrawalMethods } from "./vocabulary/withdrawals.ts"
import { bankDataView } from "./withdrawals.ts"

const destinationView = z.object({
  _id: id,
  paymentMethod: z.enum(withdrawalMethods),
  pixKey: z.nullable(z.string()),
  pixKeyType: z.nullable(z.enum(pixKeyKinds)),
  bankData: z.nullable(bankDataView),
  firstUsedAt: isoDateTime,
  lastUsedAt: isoDateTime,
  /** How the owner proved at its first use who they are; null where nobody asked. */
  confirmedBy: z.nullable(z.enum(destinationProofs)),
  /** Until when a withdrawal to it waits, as it is new; null when it doesn't. */
  heldUntil: z.nullable(isoDateTime),
  owner: z.enum(destinationOwners),
})
export type DestinationView = z.infer<typeof destinationView>

export const listDestinationsEndpoint = defineEndpoint("listDestinations", heads.listDestinations, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  tag: "Saques",
  summary: "As chaves e contas para onde o vendedor já pediu saques, e o que um saque pedido agora teria de esperar",
  reply: {
    status: 200,
    schema: success(
      z.object({
        destinations: z.array(destinationView),
        /** How long a withdrawal to a destination that isn't listed waits. */
        newDestinationHours: z.number(),
        /** Until when every withdrawal waits, after a new password by mail or a change by an administrator. */
        heldUntil: z.nullable(isoDateTime),
        /** Since when withdrawals are frozen by the owner's word. */
        frozenAt: z.nullable(isoDateTime),
        /**
         * Within how many minutes most of the platform's last thirty withdrawals were paid, counted from when they could be
         * approved; null while there are fewer than three.
         */
        paidWithin: z.nullable(z.object({ fromMinutes: z.int(), toMinutes: z.int() })),
      }),
    ),
  },
})

export const removeDestinationEndpoint = defineEndpoint("removeDestination", heads.removeDestination, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "always",
  tag: "Saques",
  summary: "Remove um destino: o próximo saque para lá espera como para um novo, e uma chave de API não saca para lá",
  params: z.object({ id: text(200) }),
  reply: { status: 204 },
})

/** A person's words: 'unknown' takes an earlier one back. */
const personsOwners = ["confirmed_by_person", "other", "unknown"] as const

export const sayDestinationOwnerEndpoint = defineEndpoint("sayDestinationOwner", heads.sayDestinationOwner, {
  audience: "admin",
  stepUp: "always",
  tag: "Administração: saques",
  summary:
    "Diz de quem é um destino de saque, com o motivo; o vendedor é avisado. Com proteção estrita, confirmar ou retirar uma palavra só vale quando outro administrador diz o mesmo (`data.pending`)",
  params: z.object({ id: text(200), destinationId: text(200) }),
  body: z.object({
    owner: z.enum(personsOwners, "Escolha de quem é o destino."),
    reason: requiredLines(500, "Escreva o motivo."),
  }),
  reply: {
    status: 200,
    schema: successWithMessage(
      z.object({
        /** As it is now, which is as before while another administrator must agree. */
        owner: z.enum(destinationOwners),
        ...pendingFields,
      }),
    ),
  },
})

export const destinationsExamples = [
  defineExample(listDestinationsEndpoint, {
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
          owner: "unknown",
        },
      ],
      newDestinationHours: 0,
      heldUntil: null,
      frozenAt: null,
      paidWithin: { fromMinutes: 10, toMinutes: 180 },
    },
    failures: [],
  }),
  defineExample(removeDestinationEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    failures: ["not_found"],
  }),
  defineExample(sayDestinationOwnerEndpoint, {
    params: { id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", destinationId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    body: { owner: "confirmed_by_person", reason: "Comprovante de titularidade conferido" },
    reply: { status: "success", message: "Anotado: o destino é do vendedor.", data: { owner: "confirmed_by_person" } },
    failures: ["user_not_found", "not_found", "own_account", "second_approver_needed", "admin_rights_pending"],
  }),
]
