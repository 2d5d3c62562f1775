import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, reais, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { ownerAlone } from "./vocabulary/team.ts"
import { rulePauses, rulePeriods } from "./vocabulary/withdrawals.ts"

export const withdrawalRuleView = z.object({
  every: z.enum(rulePeriods),
  /** All of the available balance is withdrawn once it is more than this. */
  above: z.number(),
  destinationId: id,
  /** The next morning on which it looks. */
  nextAt: isoDateTime,
  /** Null while it runs. */
  pausedBecause: z.nullable(z.enum(rulePauses)),
  /** In words for a person; empty unless a withdrawal failed. */
  failure: z.string(),
})
export type WithdrawalRuleView = z.infer<typeof withdrawalRuleView>

const tag = "Saques"

export const getWithdrawalRuleEndpoint = defineEndpoint("getWithdrawalRule", heads.getWithdrawalRule, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  tag,
  summary: "O saque automático do vendedor; nulo sem um",
  reply: { status: 200, schema: success(z.object({ rule: z.nullable(withdrawalRuleView) })) },
})

const amountRequired = "Informe a partir de que saldo sacar."

export const putWithdrawalRuleEndpoint = defineEndpoint("putWithdrawalRule", heads.putWithdrawalRule, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "by_data",
  tag,
  summary:
    "Saca sozinho, às 6 horas de Brasília, todo o saldo disponível quando passa de `above`: só para um destino que já recebeu um saque e não espera mais. Com `paused` só pausa, sem confirmar quem é",
  body: z.object({
    every: z.enum(rulePeriods, "Escolha de quanto em quanto tempo."),
    above: reais(amountRequired).check(z.refine((value) => value >= 0, amountRequired)),
    destinationId: text(200, "Escolha o destino."),
    paused: z.nullish(z.boolean()),
  }),
  reply: { status: 200, schema: success(z.object({ rule: withdrawalRuleView })) },
})

export const deleteWithdrawalRuleEndpoint = defineEndpoint("deleteWithdrawalRule", heads.deleteWithdrawalRule, {
  audience: "seller",
  roles: ownerAlone,
  tag,
  summary: "Acaba com o saque automático; os saques pedidos continuam",
  reply: { status: 204 },
})

const rule: WithdrawalRuleView = {
  every: "week",
  above: 100,
  destinationId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  nextAt: "2026-11-23T09:00:00.000Z",
  pausedBecause: null,
  failure: "",
}

export const withdrawalRulesExamples = [
  defineExample(getWithdrawalRuleEndpoint, { data: { rule }, failures: [] }),
  defineExample(putWithdrawalRuleEndpoint, {
    body: { every: "week", above: 100, destinationId: rule.destinationId, paused: false },
    data: { rule },
    failures: ["not_found", "destination_not_proven", "step_up_required"],
  }),
  defineExample(deleteWithdrawalRuleEndpoint, { failures: [] }),
]
