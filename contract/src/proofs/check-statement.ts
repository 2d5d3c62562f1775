import { feeMeaning, isMovementKind, meaningOfMovement } from "../vocabulary/statement.ts"
import { type Checkpoint, openCheckpoint, type VerifierKey } from "./checkpoint.ts"
import { type BlockProof, type LineProof, readLineProof } from "./line-proof.ts"
import { areSame, fromBase64, isConsistent, leafHash, rootFromAuditPath } from "./tree.ts"

interface CheckStatementInput {
  csv: string
  note: string
  keys: readonly VerifierKey[]
  /** Hashes that link the file's checkpoint and this one, where they differ; null for those in the file alone. */
  consistency: readonly string[] | null
}

interface CheckedStatement {
  lines: number
  /** False for the plain CSV, which has nothing to check. */
  hasProofs: boolean
  /** Each begins with the line's number in the file, where it is about one. */
  problems: string[]
  /**
   * False where the file's checkpoint is another one, and only the same signature links both: whoever holds the key may have
   * signed two histories, so nothing is proved against the given one.
   */
  isLinked: boolean
  /** The sizes of the file's checkpoint and of the given one: a proof of consistency links the smaller with the larger. */
  sizes: { own: number; given: number }
}

const columns = ["Data", "Lançamento", "Referência", "Valor (R$)", "Saldo (R$)", "Página", "Prova"]

/** Proves each line of a statement's CSV against a checkpoint, without server, database or network. */
export async function checkStatement({ csv, note, keys, consistency }: CheckStatementInput): Promise<CheckedStatement> {
  const [head, ...rows] = readCells(csv)
  if (head?.join() === columns.slice(0, -1).join()) return { ...failed(plainStatement), hasProofs: false }
  if (head?.join() !== columns.join()) return failed("o arquivo não é um extrato em CSV com provas")
  if (rows.length === 0) return failed("o arquivo não tem nenhuma linha: não há o que conferir")
  const given = await openCheckpoint(note, keys)
  if (given === null) return failed("o ponto de controle não está assinado com esta chave")
  const proofs = rows.map((cells) => readLineProof(cells[6] ?? ""))
  const own = proofs.find((proof) => proof?.note !== undefined)
  const base = own?.note === undefined ? given : await openCheckpoint(own.note, keys)
  if (base === null) return failed("as provas do arquivo levam a um ponto de controle que esta chave não assinou")
  const ownLink = own?.links?.find(({ size }) => size === given.size && size < base.size)
  const link = await linkBetween(base, given, consistency ?? ownLink?.path ?? null)
  if (link === "broken") return failed("o ponto de controle do arquivo e este são de correntes diferentes")
  const sizes = { own: base.size, given: given.size }
  return {
    lines: rows.length,
    hasProofs: true,
    problems: await problemsOf(rows, proofs, base),
    isLinked: link === "proved",
    sizes,
  }
}

const plainStatement =
  "este é o CSV sem provas, que não dá para conferir: baixe o 'CSV com provas' do mesmo mês no Extrato"

function failed(problem: string): CheckedStatement {
  return { lines: 0, hasProofs: true, problems: [problem], isLinked: false, sizes: { own: 0, given: 0 } }
}

async function linkBetween(
  base: Checkpoint,
  given: Checkpoint,
  consistency: readonly string[] | null,
): Promise<"proved" | "signed" | "broken"> {
  if (base.origin !== given.origin) return "broken"
  if (base.size === given.size) return areSame(base.root, given.root) ? "proved" : "broken"
  if (consistency === null) return "signed"
  const [smaller, larger] = base.size < given.size ? [base, given] : [given, base]
  const hashes = hashesOf(consistency)
  return hashes !== null && (await isConsistent(smaller, larger, hashes)) ? "proved" : "broken"
}

async function problemsOf(rows: string[][], proofs: (LineProof | null)[], base: Checkpoint): Promise<string[]> {
  const problems: string[] = []
  const blocks = new Map<number, BlockProof>()
  const owners = new Set<string>()
  const shown = new Set<string>()
  let balance: number | null = null
  for (const [at, cells] of rows.entries()) {
    const line = lineOf(cells)
    const proof = proofs[at] ?? null
    const place = `linha ${at + 2}`
    if (proof?.of !== undefined) blocks.set(proof.block, proof.of)
    if (line === null) problems.push(`${place}: data ou valores ilegíveis`)
    else if (proof === null) problems.push(`${place}: sem prova (ainda não selada, ou acrescentada)`)
    else if (!(await leadsToRoot(proof, blocks.get(proof.block), base)))
      problems.push(`${place}: a prova não leva ao ponto de controle`)
    else {
      const facts = factsOf(proof.text)
      if (facts === null || !agrees(line, facts)) problems.push(`${place}: não é o que foi selado`)
      else owners.add(facts.seller)
      // A row may show as two lines, a sale and its fee, but each of them once.
      const movement = `${proof.block} ${proof.index} ${line.change}`
      if (shown.has(movement)) problems.push(`${place}: repete outra linha`)
      shown.add(movement)
    }
    if (line !== null && balance !== null && balance + line.change !== line.balance) {
      problems.push(`${place}: o saldo não segue da linha anterior`)
    }
    balance = line?.balance ?? null
  }
  if (owners.size > 1) problems.push("as linhas são de vendedores diferentes")
  return problems
}

async function leadsToRoot(proof: LineProof, blockProof: BlockProof | undefined, base: Checkpoint): Promise<boolean> {
  const header = /^tilinta-block\/1\n(\d+)\n\S+\n(\d+)\n(\S+)\n\d+\n$/.exec(blockProof?.header ?? "")
  const [auditPath, blockPath] = [hashesOf(proof.path), hashesOf(blockProof?.path ?? [])]
  const root = fromBase64(header?.[3] ?? "")
  if (blockProof === undefined || header === null || auditPath === null || blockPath === null || root === null)
    return false
  if (Number(header[1]) !== proof.block) return false
  const rowRoot = await rootFromAuditPath(
    await leafHash(proof.text),
    { index: proof.index, size: Number(header[2]) },
    auditPath,
  )
  if (rowRoot === null || !areSame(rowRoot, root)) return false
  const treeRoot = await rootFromAuditPath(
    await leafHash(blockProof.header),
    { index: proof.block, size: base.size },
    blockPath,
  )
  return treeRoot !== null && areSame(treeRoot, base.root)
}

function hashesOf(texts: readonly string[]): Uint8Array<ArrayBuffer>[] | null {
  const hashes = texts.map(fromBase64)
  return hashes.every((hash) => hash?.length === 32) ? (hashes as Uint8Array<ArrayBuffer>[]) : null
}

interface Line {
  minute: string
  description: string
  reference: string
  change: number
  balance: number
}

function lineOf([moment = "", description = "", reference = "", amount = "", balance = ""]: string[]): Line | null {
  const [, day, month, year, time] = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d)$/.exec(moment) ?? []
  const [change, after] = [centsOf(amount), centsOf(balance)]
  if (day === undefined || change === null || after === null) return null
  return { minute: `${year}-${month}-${day} ${time}`, description, reference, change, balance: after }
}

function centsOf(text: string): number | null {
  const [, minus, reais, cents] = /^(-?)(\d{1,13}),(\d\d)$/.exec(text) ?? []
  if (reais === undefined || cents === undefined) return null
  return Number(`${minus}${reais}${cents}`)
}

interface Facts {
  seller: string
  reference: string
  /** The lines that it may show as: a sale and its fee are one row. */
  movements: { change: number; description: string }[]
  bookedAtMicros: number
}

/** The row's movement of the seller's available balance; null where it moves another account. */
function factsOf(text: string): Facts | null {
  const row: unknown = JSON.parse(text)
  if (!Array.isArray(row)) return null
  if (row[0] === "payments" && row[10] === "credited") {
    const sale = movementOf("payment", row[6])
    const fee = row[7] > 0 ? [{ change: -row[7], description: feeMeaning.description }] : []
    return { seller: row[5], reference: row[1], movements: [...sale, ...fee], bookedAtMicros: row[9] }
  }
  if (row[0] !== "journal") return null
  const own = "seller-available:"
  const [debit, credit] = [String(row[6]), String(row[7])]
  if (!debit.startsWith(own) && !credit.startsWith(own)) return null
  const isCredit = credit.startsWith(own)
  const seller = (isCredit ? credit : debit).slice(own.length)
  const movements = movementOf(String(row[1]), isCredit ? row[8] : -row[8])
  return { seller, reference: row[2], movements, bookedAtMicros: row[10] }
}

function movementOf(kind: string, change: number): Facts["movements"] {
  const meaning = isMovementKind(kind) ? meaningOfMovement(kind, change) : null
  return meaning === null ? [] : [{ change, description: meaning.description }]
}

const clock = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "short",
  timeZone: "America/Sao_Paulo",
})

/** A line may stand later than its booking, never earlier: a day that was closed takes no more lines. */
function agrees(line: Line, { reference, movements, bookedAtMicros }: Facts): boolean {
  const booked = clock.format(new Date(Math.floor(bookedAtMicros / 1000)))
  const latest = clock.format(new Date(Math.floor(bookedAtMicros / 1000) + 86_400_000))
  const isThen = line.minute >= booked && line.minute <= latest
  const isShown = movements.some(
    ({ change, description }) => line.change === change && line.description === description,
  )
  return isThen && isShown && line.reference.replace(/^'/, "") === reference
}

/** Cells between semicolons; quotes around those that hold one. */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r?\n|$)/gy

/** Empty for what is no CSV: programs would show it in different ways. */
function readCells(csv: string): string[][] {
  const text = csv.replace(/^\uFEFF/, "")
  const rows: string[][] = []
  let cells: string[] = []
  let read = 0
  for (const [all, quoted, bare = "", end] of text.matchAll(cellPattern)) {
    read += all.length
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === ";") continue
    if (cells.length > 1 || cells[0] !== "") rows.push(cells)
    cells = []
  }
  return read === text.length ? rows : []
}
