import type { z } from "zod"
import { Problem, type ProblemType } from "./problem.ts"

type Expected<T> = { schema: z.ZodType<T>; problem: ProblemType; detail: string; prefix?: string }

/** Reports Zod's issues in the standard's words. */
export function parseRequest<T>(value: unknown, { schema, problem, detail, prefix }: Expected<T>): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const violations = parsed.error.issues.map((issue) => {
    const property = [...(prefix === undefined ? [] : [prefix]), ...issue.path.map(String)].join(".")
    const reason = issue.code === "custom" ? issue.message : `O campo ${property} não respeita o _schema_.`
    return { razao: reason, propriedade: property }
  })
  throw new Problem(problem, 400, detail, violations)
}
