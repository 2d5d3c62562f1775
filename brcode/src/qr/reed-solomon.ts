const logarithms = new Uint8Array(256)
const powers = new Uint8Array(255)
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  powers[exponent] = value
  logarithms[value] = exponent
  value = value & 0x80 ? (value << 1) ^ 0x11d : value << 1
}

/** The polynomial to add for each byte that leaves the register: four bytes a word, the first one highest. */
const productsOf = new Map<number, Int32Array>()

export function byteAt(words: Int32Array, at: number): number {
  return ((words[at >> 2] ?? 0) >>> (24 - 8 * (at & 3))) & 255
}

/** The remainder of the data block divided by the generator of this degree: four bytes a word. */
export function correctionOf(data: Uint8Array, start: number, end: number, degree: number): Int32Array {
  const words = (degree + 3) >> 2
  const products = productsOf.get(degree) ?? addProducts(degree)
  const register = new Int32Array(words + 1)
  for (let at = start; at < end; at++) {
    const row = (((register[0] ?? 0) >>> 24) ^ (data[at] ?? 0)) * words
    for (let word = 0; word < words; word++) {
      const next = (register[word + 1] ?? 0) >>> 24
      register[word] = ((register[word] ?? 0) << 8) ^ next ^ (products[row + word] ?? 0)
    }
  }
  return register
}

function addProducts(degree: number): Int32Array {
  const words = (degree + 3) >> 2
  const generator = generatorOf(degree)
  const products = new Int32Array(256 * words)
  for (let factor = 0; factor < 256; factor++) {
    for (const [at, coefficient] of generator.entries()) {
      const index = factor * words + (at >> 2)
      products[index] = (products[index] ?? 0) | (product(factor, coefficient) << (24 - 8 * (at & 3)))
    }
  }
  productsOf.set(degree, products)
  return products
}

/** (x − 1)(x − 2)(x − 4)…, without the leading coefficient, highest power first. */
function generatorOf(degree: number): Uint8Array {
  const coefficients = new Uint8Array(degree)
  coefficients[degree - 1] = 1
  for (let root = 0; root < degree; root++) {
    for (let at = 0; at < degree; at++) {
      coefficients[at] = product(coefficients[at] ?? 0, powers[root] ?? 0) ^ (coefficients[at + 1] ?? 0)
    }
  }
  return coefficients
}

function product(a: number, b: number): number {
  if (a === 0 || b === 0) return 0
  return powers[((logarithms[a] ?? 0) + (logarithms[b] ?? 0)) % 255] ?? 0
}
