interface TestSizes {
  /**
   * Random money histories: each lane runs so many, one after another, in parallel to the other lanes. In each of the
   * nights among them everything is killed, and hours or days pass.
   */
  histories: { lanes: number; perLane: number; mostSteps: number; nights: number; kills: number }
  /** Random histories of the whole account book, each of whose days is added up again. */
  bookHistories: { count: number; fewestSteps: number; mostSteps: number }
  /** Exchanges with a faulty bank, after races between a payer and a cancelling seller. */
  exchanges: { count: number; races: number }
  /** Days of the sandbox's clock, in which one of two nodes is killed now and then. */
  receivables: { days: number; customers: number; invoices: number; subscriptions: number; kills: number }
  /** The same days with as many authorisations of Pix Automático. */
  mandates: { days: number; mandates: number; kills: number }
  /** Requests of the fuzzer, valid and wrong. */
  fuzzedRequests: number
  /** `kill -9` amid payments; every second one kills the database too. */
  kills: number
  payoutKills: number
  refundKills: number
  /** Runs of all scenarios on one server; a run on two undisturbed servers follows. */
  scenarioRuns: ("left alone" | "killed in the middle")[]
  /** Rounds of concurrent approvals and rejections of one withdrawal. */
  decisionRounds: number
  /** Rounds of a payment by link, a debit, an edit and a cancellation of one invoice at once, at each of four moments. */
  debitRaces: number
  /** Backups that are taken under load and restored. */
  restores: number
  /** Receipts that are signed, each of which is then changed at one place. */
  receipts: number
  /** Runs every n-th order of six events. */
  orderStep: number
}

const full: TestSizes = {
  histories: { lanes: 8, perLane: 2, mostSteps: 80, nights: 2, kills: 4 },
  bookHistories: { count: 2, fewestSteps: 25, mostSteps: 45 },
  exchanges: { count: 150, races: 20 },
  receivables: { days: 40, customers: 20, invoices: 50, subscriptions: 6, kills: 4 },
  mandates: { days: 24, mandates: 16, kills: 3 },
  fuzzedRequests: 3_000,
  kills: 5,
  payoutKills: 3,
  refundKills: 3,
  scenarioRuns: ["killed in the middle"],
  decisionRounds: 5,
  debitRaces: 60,
  restores: 2,
  receipts: 10_000,
  orderStep: 1,
}

/** Large enough to find planted money bugs; `npm run test:soak` uses the full sizes. */
const small: TestSizes = {
  histories: { lanes: 6, perLane: 1, mostSteps: 48, nights: 1, kills: 1 },
  bookHistories: { count: 1, fewestSteps: 15, mostSteps: 20 },
  exchanges: { count: 90, races: 10 },
  receivables: { days: 20, customers: 10, invoices: 20, subscriptions: 4, kills: 2 },
  mandates: { days: 16, mandates: 6, kills: 1 },
  fuzzedRequests: 250,
  kills: 3,
  payoutKills: 2,
  refundKills: 2,
  scenarioRuns: ["killed in the middle"],
  decisionRounds: 2,
  debitRaces: 3,
  restores: 1,
  receipts: 300,
  orderStep: 10,
}

export const isSoak = process.env["SOAK"] === "1"
export const testSizes = isSoak ? full : small

/** The longest tests of whole processes, which the soak alone runs; the others play the same money in smaller parts. */
export const soakAlone = [
  "lab/crash-tests/{demo,events,exchanges,failed-upgrade,kill-at-any-moment,mandates,payouts,receivables,refunds,rolling-restart,scenarios,two-nodes-money,workers}.test.ts",
  "examples/**/*.test.ts",
]

/** Every file that takes its size from here: `npm run test:soak` runs these, too. */
export const longTests = [
  "lab/crash-tests/{money-histories,events,exchanges,fuzz,kill-at-any-moment,mandates,payouts,receivables,refunds,scenarios,two-nodes-money}.test.ts",
  "server/src/commands/restore.test.ts",
  "server/src/overviews/accounts/accounts-in-any-history.test.ts",
  "server/src/selling/mandates/races.test.ts",
  "server/src/money/{payments/payments-in-any-order,receipts/receipts-in-any-spelling,statements/statements,chain/chain}.test.ts",
]
