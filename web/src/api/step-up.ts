/** A call that the server answers with `step_up_required` waits here until the person has confirmed who they are. */
interface StepUpQuestion {
  methods: readonly string[]
  /** False when they would rather not: the call then fails. */
  answer: (isConfirmed: boolean) => void
}

let question: (StepUpQuestion & { answered: Promise<boolean> }) | null = null
const listeners = new Set<() => void>()

/** Calls that ask at the same moment share one question. False where no dialog listens. */
export function askStepUp(methods: readonly string[]): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  if (question !== null) return question.answered
  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  function answer(isConfirmed: boolean): void {
    question = null
    resolve(isConfirmed)
    notifyListeners()
  }
  question = { methods, answer, answered }
  notifyListeners()
  return answered
}

export function stepUpQuestion(): StepUpQuestion | null {
  return question
}

export function onStepUpQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

const enrolmentListeners = new Set<() => void>()

/** Tells that a second factor, or a password of one's own, must come before anything else. */
export function reportEnrolment(): void {
  for (const listener of enrolmentListeners) listener()
}

export function onEnrolmentRequired(listener: () => void): void {
  enrolmentListeners.add(listener)
}
