import { isSqlFile, type SourceTree, type Violation } from "./source-tree.ts"
import { lineAt } from "./syntax.ts"

const starts = "(?:Of|Who|Whom|Whoever|Whose|What|Where|[TB][oy] whom)\\b"

/** Only a comment's first line is checked: a line that continues a sentence may begin with any word. */
const riddleIn = {
  source: new RegExp(`(?:/\\*\\*?\\s+(?:\\* )?|// (?<!^[ \\t]*//.*\\n[ \\t]*// ))${starts}`, "gm"),
  sql: new RegExp(`(?:/\\*\\s+|-- (?<!^[ \\t]*--.*\\n[ \\t]*-- )|\\bis\\s+')${starts}`, "gim"),
}

/** A sentence whose subject comes first is found by a search and read once. */
export function checkCommentRules(tree: SourceTree): Violation[] {
  return [...tree].flatMap(checkFile)
}

function checkFile([file, text]: readonly [string, string]): Violation[] {
  return [...text.matchAll(isSqlFile(file) ? riddleIn.sql : riddleIn.source)].map(({ index }) => ({
    rule: "comments-begin-with-their-subject",
    file,
    line: lineAt(text, index),
    message: "a comment begins with its subject, not with a relative clause or a genitive",
  }))
}
