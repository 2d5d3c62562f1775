import { posix } from "node:path"
import { glossary, isSource, isTest, type SourceTree, type Violation } from "./source-tree.ts"
import { lineAt, nameOf, nodeAt, parseSource, type SyntaxNode, walk } from "./syntax.ts"

/** Words of the table that product code still has. */
const unchecked = new Set(["part", "note", "hold"])

const product = /^(server|contract|simulator|brcode|client|web)\/src\//
/** Generated: its names are those of columns. */
const generated = "server/src/db/schema.ts"

const declarations = new Set([
  "ClassDeclaration",
  "FunctionDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "VariableDeclarator",
])

interface UnusedWord {
  word: string
  replacement: string
  isEverywhere: boolean
}

/** Refuses the words that the glossary replaces, in names of declarations and files; some also in comments and tests. */
export function checkWordRules(tree: SourceTree): Violation[] {
  const words = readUnusedWords(tree.get(glossary) ?? "")
  const checked = [...tree].filter(([path]) => isSource(path) && product.test(path) && path !== generated)
  return checked.flatMap(([file, text]) =>
    words
      .filter(({ isEverywhere }) => isEverywhere || !isTest(file))
      .flatMap((unused) =>
        placesOf(unused, file, text).map((index) => ({
          rule: "words-of-the-field",
          file,
          line: lineAt(text, index),
          message: `'${unused.word}' is not used: write ${unused.replacement} (${glossary})`,
        })),
      ),
  )
}

function readUnusedWords(text: string): UnusedWord[] {
  const [, table = ""] = text.split("## Words that are not used")
  return [...table.matchAll(/^\| `([a-z ]+)` +\| ([^|]+)\| (everywhere|names|verbs) +\|/gm)]
    .map(([, word = "", replacement = "", where]) => ({
      word,
      replacement: replacement.trim(),
      isEverywhere: where === "everywhere",
    }))
    .filter(({ word }) => !unchecked.has(word))
}

function placesOf({ word, isEverywhere }: UnusedWord, file: string, text: string): number[] {
  const pattern = new RegExp(`\\b${word}${word.endsWith("e") ? "" : "(e?s)?"}\\b`, "i")
  const fileName = { name: posix.basename(file).split(".", 1)[0] ?? "", index: 0 }
  const names = [fileName, ...declaredNames(file, text)].filter(({ name }) => pattern.test(wordsOf(name)))
  const comments = isEverywhere ? commentsOf(text).filter(({ name }) => pattern.test(name)) : []
  return [...names, ...comments].map(({ index }) => index)
}

interface Place {
  name: string
  index: number
}

const namesByText = new Map<string, Place[]>()

/** Each word asks for the same file: its names are listed once. */
function declaredNames(file: string, text: string): Place[] {
  const known = namesByText.get(text)
  if (known !== undefined) return known
  const names: Place[] = []
  walk(parseSource(file, text), (node: SyntaxNode) => {
    const name = declarations.has(node.type) ? nameOf(nodeAt(node, "id")) : null
    if (name !== null) names.push({ name, index: node.start })
  })
  namesByText.set(text, names)
  return names
}

function commentsOf(text: string): Place[] {
  return [...text.matchAll(/(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g)].map(({ 0: name, index }) => ({ name, index }))
}

/** `toldAt`, `TOLD_AT` and `told-at` are the words "told at". */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ")
}
