import { checkCommentRules } from "./comment-rules.ts"
import { checkExportRules } from "./export-rules.ts"
import { checkHouseRules } from "./house-rules.ts"
import { checkImportRules } from "./import-rules.ts"
import { findUnresolved, listImports } from "./imports.ts"
import { checkMoneyRules } from "./money-rules.ts"
import { checkRegexRules } from "./regex-rules.ts"
import { isSource, type SourceTree, type Violation } from "./source-tree.ts"
import { checkTableRules } from "./table-rules.ts"
import { checkTransactionRules } from "./transaction-rules.ts"
import { checkWordRules } from "./word-rules.ts"

export function checkArchitecture(tree: SourceTree): Violation[] {
  const sources = new Map([...tree].filter(([path]) => isSource(path)))
  const imports = listImports(sources)
  return [
    ...findUnresolved(imports),
    ...checkImportRules(imports),
    ...checkExportRules(sources, imports),
    ...checkTransactionRules(sources),
    ...checkTableRules(sources),
    ...checkMoneyRules(sources),
    ...checkHouseRules(sources),
    ...checkCommentRules(tree),
    ...checkWordRules(tree),
    ...checkRegexRules(sources),
  ]
}
