import type { HandSettlementView } from "@tilinta/contract/api/hand-settlement-view"
import type { DescribedSettlement } from "#domain/money/hand-settlements/describe-settlements"
import type { UserName } from "#domain/people/users/user-names"

export function toHandSettlementView(said: DescribedSettlement): HandSettlementView {
  return {
    outcome: said.outcome,
    endToEndId: said.endToEndId,
    reason: said.reason,
    saidBy: personOf(said.saidBy),
    saidAt: said.saidAt.toISOString(),
    confirmedBy: said.confirmedBy && personOf(said.confirmedBy),
    settledAt: said.settledAt?.toISOString() ?? null,
    waitsFor: said.waitsFor,
  }
}

function personOf({ id, name }: UserName) {
  return { _id: id, name }
}
