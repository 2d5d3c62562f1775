import { checkArchitecture } from "./architecture/architecture-rules.ts"
import { describeViolation, readSourceTree } from "./architecture/source-tree.ts"
import { repositoryFolder } from "./run-tool.ts"

const tree = readSourceTree(repositoryFolder)
const violations = checkArchitecture(tree)
for (const violation of violations) console.error(describeViolation(violation))
console.log(`${tree.size} files read, ${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1
