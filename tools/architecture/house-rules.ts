import { posix } from "node:path"
import { isTest, type SourceTree, type Violation } from "./source-tree.ts"
import { lineAt } from "./syntax.ts"

interface Rule {
  rule: string
  pattern: RegExp
  appliesTo: (path: string) => boolean
  message: string
}

const vagueNames = new Set(["index", "utils", "util", "helpers", "helper", "common", "misc"])

const rules: Rule[] = [
  {
    rule: "environment-is-read-once",
    pattern: /\bprocess\.env\b/g,
    appliesTo: (path) => /^server\/src\/(?!start\/|commands\/|demo\/)[^/]+\//.test(path) && !isTest(path),
    message: "the environment is read in start/env.ts: take the value as a parameter",
  },
  {
    rule: "pools-are-given",
    pattern: /\bnew (Weak)?Map<\w*Db\b|\bdb:\s*\w+\.\w+Db\b/g,
    appliesTo: (path) => /^server\/src\/(?!start\/)[^/]+\//.test(path) && !isTest(path),
    message: "server/src/start gives each verb its pool and its caches: take them as parameters",
  },
  {
    rule: "http-is-not-imported",
    pattern: /^import (?!type\b).*"node:http"/gm,
    appliesTo: (path) => /^(server|simulator)\/src\//.test(path) && !isTest(path),
    message: "kit/http-client.ts has it without Node's fetch, which takes 12 MB: import types alone",
  },
  {
    rule: "rare-libraries-are-loaded-late",
    pattern: /^import (?!type\b).*"(pdfkit|fontkit|any-ascii|hucre\/[^"]*|@simplewebauthn\/server|@scalar\/[^"]*)"/gm,
    appliesTo: (path) => path.startsWith("server/src/") && !isTest(path),
    message: "the first request that needs it loads it by `await import`: every start would pay for its memory",
  },
  {
    rule: "traces-are-loaded-where-wanted",
    pattern:
      /^(import|export) (?!type\b)[^"]*"(@opentelemetry\/[^"]*|#http\/trace-requests|(#kit|\.)\/otlp-tracer(\.ts)?)"/gm,
    appliesTo: (path) =>
      path.startsWith("server/src/") &&
      !isTest(path) &&
      !["server/src/kit/otlp-tracer.ts", "server/src/http/trace-requests.ts"].includes(path),
    message:
      "start/app.ts loads trace-requests.ts by `await import` where there is a collector: without one it costs nothing",
  },
  {
    rule: "no-skipped-tests",
    pattern: /\b(it|test|describe)\.(skip|only|todo|fails|fixme)\b/g,
    appliesTo: isTest,
    message: "a test runs or is deleted",
  },
  {
    rule: "no-marks",
    pattern: /^(?:(?!\/[/*]).)*\/[/*].*\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/gm,
    appliesTo: () => true,
    message: "a wish belongs in the issue list",
  },
]

export function checkHouseRules(tree: SourceTree): Violation[] {
  return [...[...tree.keys()].flatMap(checkName), ...[...tree].flatMap(([path, text]) => checkText(path, text))]
}

function checkName(file: string): Violation[] {
  const [name = ""] = posix.basename(file).split(".")
  if (!vagueNames.has(name)) return []
  return [{ rule: "names-say-what", file, line: 1, message: `'${name}' says nothing in a search box` }]
}

function checkText(file: string, text: string): Violation[] {
  return rules
    .filter(({ appliesTo }) => appliesTo(file))
    .flatMap(({ rule, pattern, message }) =>
      [...text.matchAll(pattern)].map(({ index }) => ({ rule, file, line: lineAt(text, index), message })),
    )
}
