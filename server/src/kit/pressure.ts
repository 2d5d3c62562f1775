/** Load levels: `busy` sheds reports and exports, `extreme` everything but payers and the bank. */
export const pressureLevels = ["calm", "busy", "extreme"] as const
export type PressureLevel = (typeof pressureLevels)[number]

interface PressureSource {
  name: string
  read(): number
  busyFrom: number
  extremeFrom: number
}

export interface Pressure {
  level(): PressureLevel
}

/** Hysteresis: the start or a few long pauses raise no level, and a single quiet moment lowers none. */
const readingsToRise = 4
const readingsToFall = 4
/** A level is left well below its threshold, or it would flap with the load that it sheds. */
const leaveAt = 0.5

/** The level, from readings of its sources. */
export function createPressureGauge(sources: readonly PressureSource[]) {
  let level = 0
  let higherReadings = 0
  let lowerReadings = 0

  /** Takes a reading; returns the level and the sources that caused it. */
  function update(): { level: PressureLevel; reasons: string[] } {
    const readings = sources.map((source) => ({ name: source.name, level: levelOf(source) }))
    const now = Math.max(0, ...readings.map((each) => each.level))
    higherReadings = now > level ? higherReadings + 1 : 0
    lowerReadings = now < level ? lowerReadings + 1 : 0
    if (higherReadings >= readingsToRise || lowerReadings >= readingsToFall) {
      level = now
      higherReadings = 0
      lowerReadings = 0
    }
    return { level: current(), reasons: readings.filter((each) => each.level > 0).map(({ name }) => name) }
  }

  function levelOf({ read, busyFrom, extremeFrom }: PressureSource): number {
    const figure = read()
    const from = (bound: number, ofLevel: number) => bound * (level >= ofLevel ? leaveAt : 1)
    if (figure >= from(extremeFrom, 2)) return 2
    return figure >= from(busyFrom, 1) ? 1 : 0
  }

  const current = (): PressureLevel => pressureLevels[level] ?? "calm"
  return { update, level: current }
}
