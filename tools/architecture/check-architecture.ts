import { checkHouseRules } from "./house-rules.ts"
import { checkImportRules } from "./import-rules.ts"
import { findUnresolved, listImports } from "./imports.ts"
import { checkMoneyRules } from "./money-rules.ts"
import type { SourceTree, Violation } from "./source-tree.ts"
import { checkTableRules } from "./table-rules.ts"
import { checkTransactionRules } from "./transaction-rules.ts"

export function checkArchitecture(tree: SourceTree): Violation[] {
  const imports = listImports(tree)
  return [
    ...findUnresolved(imports),
    ...checkImportRules(imports),
    ...checkTransactionRules(tree),
    ...checkTableRules(tree),
    ...checkMoneyRules(tree),
    ...checkHouseRules(tree),
  ]
}
