import { posix } from "node:path"
import { isTest, type SourceTree, type Violation } from "./source-tree.ts"
import { tablesWrittenBy, unknownTable } from "./sql.ts"
import { lineAt, parseSource, walk } from "./syntax.ts"

interface Write {
  table: string
  folder: string
  file: string
  line: number
}

const rule = "one-noun-writes-a-table"

/** A table is written by one noun alone, so that its rules are read in one folder. Anybody may read it. */
export function checkTableRules(tree: SourceTree): Violation[] {
  const writes = [...tree]
    .filter(([path]) => path.startsWith("server/src/") && !isTest(path))
    .flatMap(([file, text]) => writesOf(file, text))
  const unnamed = writes.filter(({ table }) => table === unknownTable)
  return [
    ...unnamed.map(({ file, line }) => ({ rule, file, line, message: "the statement doesn't name its table" })),
    ...[...Map.groupBy(writes, ({ table }) => table).values()].flatMap(foreignWrites),
  ]
}

function writesOf(file: string, text: string): Write[] {
  const writes: Write[] = []
  walk(parseSource(file, text), (node) => {
    for (const table of tablesWrittenBy(node)) {
      writes.push({ table, folder: posix.dirname(file), file, line: lineAt(text, node.start) })
    }
  })
  return writes
}

/** The folder with most of the writes owns the table. */
function foreignWrites(writes: Write[]): Violation[] {
  const [owners] = [...Map.groupBy(writes, ({ folder }) => folder).values()].sort((a, b) => b.length - a.length)
  const owner = owners?.[0]?.folder
  return writes
    .filter(({ folder }) => folder !== owner)
    .map(({ table, file, line }) => ({
      rule,
      file,
      line,
      message: `'${table}' is written by ${owner}: call a verb of it instead`,
    }))
}
