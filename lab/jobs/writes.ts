import { type Figures, measureTidying, measureWrites, openBooks, type WriteFigures } from "../growth/measure-writes.ts"
import { numberOf, textOf } from "../kit/arguments.ts"
import { atMostTimes, type Job, type Row, shownOnly } from "../kit/job.ts"
import { median } from "../timings.ts"

const steps = [
  { name: "create", what: "a charge is created" },
  { name: "confirm", what: "a payment is booked" },
] as const

/** Arguments: `sizes=10000,10000000`, `rows=` payments per round, `rounds=`. */
export const job: Job = {
  title: "Growth of writes",
  async run(args) {
    const sizes = textOf(args, "sizes", "10000,10000000").split(",").map(Number)
    const payments = numberOf(args, "rows", 10_000)
    const rounds = numberOf(args, "rounds", 5)
    const books = await openBooks(sizes)
    const figures: WriteFigures[][] = sizes.map(() => [])
    const tidying: Figures[] = []
    try {
      // Round -1 loads the pages into memory and writes their full-page images to the WAL.
      for (let round = -1; round < rounds; round += 1) {
        for (const [index, each] of books.opened.entries()) {
          const measured = await measureWrites(each, payments)
          if (round >= 0) figures[index]?.push(measured)
        }
      }
      for (const each of books.opened) tidying.push(await measureTidying(each))
    } finally {
      await books.close()
    }
    return {
      rows: [...rowsOf(sizes, figures), ...tidyingRows(sizes, tidying)],
      notes: [
        `${rounds} rounds that take turns, medians, over databases that were vacuumed, analyzed and checkpointed at first, autovacuum off meanwhile; ${payments.toLocaleString("en-US")} charges a round, of 1,000 sellers where there are so many, are created, 100 at once, by the product's own code over a bank that answers at once, and then paid in batches of 200. CPU is that of all of PostgreSQL's processes, WAL what was written to its log. A first round is not counted. At the end the charges are vacuumed once, with every index.`,
      ],
    }
  },
}

function tidyingRows(sizes: readonly number[], figures: readonly Figures[]): Row[] {
  return figures.map(({ cpuUs }, index) =>
    shownOnly({ what: `the charges are vacuumed ${counted(sizes[index])}`, figure: cpuUs / 1e6, unit: "s of CPU" }),
  )
}

function rowsOf(sizes: readonly number[], figures: readonly WriteFigures[][]): Row[] {
  return steps.flatMap(({ name, what }) => {
    const of = (index: number, key: "cpuUs" | "walBytes") =>
      median((figures.at(index) ?? []).map((each) => each[name][key]))
    const cpu = { name: counted(sizes[0]), figure: of(0, "cpuUs") }
    const wal = { name: counted(sizes[0]), figure: of(0, "walBytes") }
    return [
      atMostTimes(1.25, { what: `${what}: CPU of PostgreSQL`, figure: of(-1, "cpuUs"), unit: "µs", limit: cpu }),
      atMostTimes(1.1, { what: `${what}: WAL`, figure: of(-1, "walBytes"), unit: "bytes", limit: wal }),
    ]
  })
}

function counted(size = 0): string {
  return `at ${size.toLocaleString("en-US")}`
}
