interface TestSizes {
  /** Of money's histories: each lane lives so many, one after another, beside the others. */
  histories: { lanes: number; perLane: number; mostSteps: number }
  /** With a bank in trouble, after races of a payer and a seller who cancels. */
  exchanges: { count: number; races: number }
  /** `kill -9` amid payments; every second one takes the database along. */
  kills: number
  /** Approvals and rejections of one withdrawal at once, again and again. */
  decisionRounds: number
  /** One of so many orders of six events is lived through. */
  orderStep: number
}

const full: TestSizes = {
  histories: { lanes: 10, perLane: 20, mostSteps: 108 },
  exchanges: { count: 270, races: 30 },
  kills: 7,
  decisionRounds: 5,
  orderStep: 1,
}

/** Large enough that planted bugs of money are found; `npm run test:soak` takes the others. */
const small: TestSizes = {
  histories: { lanes: 8, perLane: 3, mostSteps: 108 },
  exchanges: { count: 90, races: 10 },
  kills: 3,
  decisionRounds: 2,
  orderStep: 6,
}

export const isSoak = process.env["SOAK"] === "1"
export const testSizes = isSoak ? full : small
