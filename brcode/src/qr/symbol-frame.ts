import { type QrLevel, sizeOf } from "./capacity.ts"
import { darken, emptyGrid, isDark, type ModuleGrid, placeOf } from "./module-grid.ts"

/** Everything that symbols of one version share, whatever their content. */
interface SymbolFrame {
  /** Positions of the codewords' bits in drawing order, encoded by `placeOf`. */
  path: Uint16Array
  /** Scratch grid: allocating one per text costs more than wiping it. */
  data: ModuleGrid
}

const levelBits: Record<QrLevel, number> = { M: 0, Q: 3 }
const inMask: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row * column) % 3) + ((row + column) % 2)) % 2 === 0,
]

const frames = new Map<number, SymbolFrame>()
const masked = new Map<string, ModuleGrid[]>()

export function frameOf(version: number): SymbolFrame {
  const known = frames.get(version)
  if (known !== undefined) return known
  const size = sizeOf(version)
  const path = pathThrough(drawPatterns(version).taken)
  const frame = {
    path: Uint16Array.from(path, ([row, column]) => placeOf(size, row, column)),
    data: emptyGrid(size),
  }
  frames.set(version, frame)
  return frame
}

/** For each of the eight masks, every module that isn't data: patterns, format, version and the mask itself. */
export function masksOf(version: number, level: QrLevel): readonly ModuleGrid[] {
  const name = `${version} ${level}`
  const known = masked.get(name)
  if (known !== undefined) return known
  const grids = inMask.map((isInMask, mask) => {
    const { taken, dark } = drawPatterns(version)
    drawFormat(dark, (levelBits[level] << 3) | mask)
    for (let row = 0; row < dark.size; row++) {
      for (let column = 0; column < dark.size; column++) {
        if (!isDark(taken, row, column) && isInMask(row, column)) darken(dark, row, column)
      }
    }
    return dark
  })
  masked.set(name, grids)
  return grids
}

interface Patterns {
  taken: ModuleGrid
  dark: ModuleGrid
}

function drawPatterns(version: number): Patterns {
  const size = sizeOf(version)
  const patterns = { taken: emptyGrid(size), dark: emptyGrid(size) }
  const { taken } = patterns
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawFinder(patterns, row, column)
  drawAlignments(patterns, version)
  for (let at = 0; at < size; at++) {
    for (const [row, column] of [
      [6, at],
      [at, 6],
    ] as const)
      paint(patterns, row, column, at % 2 === 0)
  }
  paint(patterns, size - 8, 8, true)
  // The format area stays light here, because it is drawn with each mask.
  for (let at = 0; at < 9; at++) {
    darken(taken, 8, at)
    darken(taken, at, 8)
    if (at < 8) darken(taken, 8, size - 1 - at)
    if (at < 8) darken(taken, size - 1 - at, 8)
  }
  if (version >= 7) drawVersion(patterns, version)
  return patterns
}

function paint({ taken, dark }: Patterns, row: number, column: number, isDarkThere: boolean): void {
  if (isDark(taken, row, column)) return
  darken(taken, row, column)
  if (isDarkThere) darken(dark, row, column)
}

/** Includes the light border. */
function drawFinder(patterns: Patterns, middleRow: number, middleColumn: number): void {
  const { size } = patterns.taken
  for (let down = -4; down <= 4; down++) {
    for (let right = -4; right <= 4; right++) {
      const [row, column] = [middleRow + down, middleColumn + right]
      if (row < 0 || column < 0 || row >= size || column >= size) continue
      const ring = Math.max(Math.abs(down), Math.abs(right))
      paint(patterns, row, column, ring !== 2 && ring !== 4)
    }
  }
}

function drawAlignments(patterns: Patterns, version: number): void {
  const middles = alignmentsOf(version)
  const last = middles.length - 1
  for (const [i, middleRow] of middles.entries()) {
    for (const [j, middleColumn] of middles.entries()) {
      const isInFinder = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0)
      if (isInFinder) continue
      for (let down = -2; down <= 2; down++) {
        for (let right = -2; right <= 2; right++) {
          const ring = Math.max(Math.abs(down), Math.abs(right))
          paint(patterns, middleRow + down, middleColumn + right, ring !== 1)
        }
      }
    }
  }
}

function alignmentsOf(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const fromTheEnd = Array.from({ length: count - 1 }, (_, at) => sizeOf(version) - 7 - at * step)
  return [6, ...fromTheEnd.toReversed()]
}

/** Fifteen bits, drawn twice: around the first finder, and along the two others. */
function drawFormat(dark: ModuleGrid, data: number): void {
  const { size } = dark
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412
  for (let at = 0; at < 15; at++) {
    if (((bits >>> at) & 1) === 0) continue
    if (at < 6) darken(dark, at, 8)
    else if (at < 8) darken(dark, at + 1, 8)
    else darken(dark, 8, at === 8 ? 7 : 14 - at)
    if (at < 8) darken(dark, 8, size - 1 - at)
    else darken(dark, size - 15 + at, 8)
  }
}

function drawVersion(patterns: Patterns, version: number): void {
  const { size } = patterns.taken
  const bits = (version << 12) | remainder(version, 12, 0x1f25)
  for (let at = 0; at < 18; at++) {
    const [long, short] = [size - 11 + (at % 3), Math.floor(at / 3)]
    const isDarkThere = ((bits >>> at) & 1) === 1
    paint(patterns, long, short, isDarkThere)
    paint(patterns, short, long, isDarkThere)
  }
}

/** Remainder of the BCH code that protects format and version. */
function remainder(data: number, degree: number, generator: number): number {
  let rest = data
  for (let at = 0; at < degree; at++) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * generator)
  return rest
}

/** Zigzags through two columns at a time from the right, alternately upwards and downwards, around reserved modules. */
function pathThrough(taken: ModuleGrid): (readonly [row: number, column: number])[] {
  const { size } = taken
  const path: (readonly [row: number, column: number])[] = []
  let isUpwards = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const row = isUpwards ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (!isDark(taken, row, column)) path.push([row, column])
      }
    }
    isUpwards = !isUpwards
  }
  return path
}
