import type { FastifySchemaCompiler } from "fastify"
import { type $ZodIssue, type $ZodRawIssue, type $ZodType, safeParse } from "zod/v4/core"
import { DomainError, type FieldProblem } from "#kit/domain-error"

/** Validates params, query and body with the contract's schemas; violations become our own error reply. */
export const validateRequest: FastifySchemaCompiler<$ZodType> =
  ({ schema }) =>
  (data) => {
    const result = safeParse(schema, data, { reportInput: true, error: portugueseMessage })
    return result.success ? { value: result.data } : { error: brokenRules(result.error.issues) }
  }

function brokenRules(issues: readonly $ZodIssue[]): DomainError {
  const problems = new Map<string, FieldProblem>()
  for (const issue of issues) {
    const path = issue.path.join(".")
    if (!problems.has(path)) problems.set(path, { path, message: issue.message })
  }
  const errors = [...problems.values()]
  return new DomainError(issues.some(isMalformed) ? "malformed_request" : "validation_failed", {
    message: errors[0]?.message ?? "Valor inválido.",
    errors,
  })
}

const wrongShapes = new Set([
  ...["invalid_type", "invalid_value", "invalid_union", "invalid_key", "invalid_element", "unrecognized_keys"],
])

/** A missing field breaks the rule that requires it; one of the wrong type is malformed. */
function isMalformed(issue: $ZodIssue): boolean {
  if (issue.code === "custom") return issue.params?.malformed === true
  const isMissingField = issue.input === undefined && issue.path.length > 0
  return wrongShapes.has(issue.code) && !isMissingField
}

const typeMessages: Record<string, string> = {
  string: "Deve ser um texto.",
  number: "Deve ser um número.",
  int: "Deve ser um número inteiro.",
  boolean: "Deve ser verdadeiro ou falso.",
  array: "Deve ser uma lista.",
  object: "Deve ser um objeto JSON.",
}

/** For issues whose schema has no message of its own: the library's English is never sent. */
function portugueseMessage(issue: $ZodRawIssue): string {
  if (issue.code === "invalid_type") {
    const isMissingField = issue.input === undefined && (issue.path ?? []).length > 0
    return isMissingField ? "Campo obrigatório." : (typeMessages[issue.expected] ?? "Valor inválido.")
  }
  if (issue.code === "invalid_value") return "Valor desconhecido."
  return "Valor inválido."
}
