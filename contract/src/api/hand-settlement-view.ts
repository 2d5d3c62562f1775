import * as z from "zod/mini"
import { handSettlementOutcomes, handSettlementWaits } from "../vocabulary/hand-settlement.ts"
import { isoDateTime, personReference } from "./fields.ts"

/** A word of people, in the bank's place, about a payout or refund. */
export const handSettlementView = z.object({
  outcome: z.enum(handSettlementOutcomes),
  /** Null unless it was paid. */
  endToEndId: z.nullable(z.string()),
  reason: z.string(),
  saidBy: personReference,
  saidAt: isoDateTime,
  /** The second administrator; null before, and where one is enough. */
  confirmedBy: z.nullable(personReference),
  /** Null until it takes effect. */
  settledAt: z.nullable(isoDateTime),
  /** 'second_admin': another administrator must say the same. 'sending': it must be said again. Null once settled. */
  waitsFor: z.nullable(z.enum(handSettlementWaits)),
})
export type HandSettlementView = z.infer<typeof handSettlementView>

/** Fields of everything that people may settle by hand. */
export const handSettlementFields = {
  /** True when the bank has not answered for a day, so that an administrator may say what became of it. */
  settleable: z.boolean(),
  /** Null unless somebody has said so, and it waits or took effect. */
  handSettlement: z.nullable(handSettlementView),
}
