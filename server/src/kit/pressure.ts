/** How much more is asked for than can be done. `extreme` is left for `busy` first, and `busy` for `calm`. */
export const pressureLevels = ["calm", "busy", "extreme"] as const
export type PressureLevel = (typeof pressureLevels)[number]

export interface PressureSource {
  name: string
  read(): number
  busyFrom: number
  extremeFrom: number
}

export interface Pressure {
  level(): PressureLevel
  /** Takes part in no level: so many wait that whoever comes now would only wait in vain. */
  isFull(): boolean
}

/** A start or a few long pauses are no pressure, and a single quiet moment is no recovery. */
const looksToRise = 4
const looksToFall = 4
/** A level is left well below where it begins, or it would come and go with what it refuses. */
const leaveAt = 0.5

/** The level by what its sources say at each look. */
export function createPressureGauge(sources: readonly PressureSource[]) {
  let level = 0
  let looksHigher = 0
  let looksLower = 0

  /** Answers the level, and the sources that speak for it. */
  function look(): { level: PressureLevel; reasons: string[] } {
    const told = sources.map((source) => ({ name: source.name, level: levelOf(source) }))
    const now = Math.max(0, ...told.map((each) => each.level))
    looksHigher = now > level ? looksHigher + 1 : 0
    looksLower = now < level ? looksLower + 1 : 0
    if (looksHigher >= looksToRise || looksLower >= looksToFall) {
      level = now
      looksHigher = 0
      looksLower = 0
    }
    return { level: current(), reasons: told.filter((each) => each.level > 0).map(({ name }) => name) }
  }

  function levelOf({ read, busyFrom, extremeFrom }: PressureSource): number {
    const figure = read()
    const from = (bound: number, ofLevel: number) => bound * (level >= ofLevel ? leaveAt : 1)
    if (figure >= from(extremeFrom, 2)) return 2
    return figure >= from(busyFrom, 1) ? 1 : 0
  }

  const current = (): PressureLevel => pressureLevels[level] ?? "calm"
  return { look, level: current }
}
