import { expect, test } from "vitest"
import { checkHouseRules } from "./architecture/house-rules.ts"

const rulesBrokenBy = (file: string, text: string) => checkHouseRules(new Map([[file, text]])).map(({ rule }) => rule)

test.each([
  ["server/src/mail/x.ts", 'import { trace } from "@opentelemetry/api"\n'],
  ["server/src/x.ts", 'import {\n  traceRequests,\n} from "#http/trace-requests"\n'],
  ["server/src/http/x.ts", 'import { createOtlpTracer } from "#kit/otlp-tracer"\n'],
  ["server/src/kit/x.ts", 'export { createOtlpTracer } from "./otlp-tracer.ts"\n'],
])("what every start would load is refused: %s with %s", (file, text) => {
  expect(rulesBrokenBy(file, text)).toEqual(["traces-are-loaded-where-wanted"])
})

test.each([
  ["server/src/start/env.ts", 'import type { OtlpTarget } from "#kit/otlp-tracer"\n'],
  ["server/src/start/app.ts", '  const { traceRequests } = await import("#http/trace-requests")\n'],
  ["server/src/http/trace-requests.ts", 'import { createOtlpTracer } from "#kit/otlp-tracer"\n'],
])("a type, and what is loaded where it is wanted, is fine: %s with %s", (file, text) => {
  expect(rulesBrokenBy(file, text)).toEqual([])
})
