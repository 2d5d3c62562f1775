import type { CustomerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import type { Luck } from "./seeded-luck.ts"

const firstNames = (
  "Adriana Aline Antônio Bianca Bruno Caio Carolina Cláudia Daniel Débora Diego Eduardo Elaine Fábio " +
  "Felipe Flávia Gabriel Giovana Gustavo Henrique Igor Isabela Jéssica José Juliana Larissa Leonardo " +
  "Letícia Lucas Luiz Márcia Marcelo Mateus Natália Otávio Paulo Priscila Renata Ricardo Rodrigo Sandra " +
  "Sérgio Simone Tatiane Vanessa Vera Vinícius Viviane Wagner Yasmin"
).split(" ")

const lastNames = (
  "Albuquerque Almeida Araújo Azevedo Batista Campos Cardoso Carvalho Correia Costa Dias Freitas Garcia " +
  "Gonçalves Lopes Macedo Machado Mendes Monteiro Moraes Nascimento Nunes Oliveira Pacheco Peixoto " +
  "Pereira Pinheiro Ramos Ribeiro Santana Santos Silva Silveira Soares Tavares Vasconcelos Viana Vieira " +
  "Xavier Zanetti"
).split(" ")

const areaCodes = "11 19 21 31 41 48 51 61 62 71 81 85".split(" ")

/** A payer with a name, an e-mail address that can't exist and a CPF with valid check digits. */
export function invitePayer(luck: Luck): Required<CustomerInfoBody> {
  const [first, last] = [luck.pick(firstNames), luck.pick(lastNames)]
  const plain = `${first}.${last}`.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  const digits = (count: number) => Array.from({ length: count }, () => luck.between(0, 9)).join("")
  return {
    name: `${first} ${last}`,
    email: `${plain}@correio.example`,
    cpf: cpfOf(`${luck.between(1, 8)}${digits(8)}`),
    phone: `${luck.pick(areaCodes)}9${luck.between(6, 9)}${digits(7)}`,
  }
}

/** Appends the two check digits to nine digits. */
export function cpfOf(nine: string): string {
  const withFirst = nine + checkDigit(nine)
  return withFirst + checkDigit(withFirst)
}

function checkDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0)
  return ((sum * 10) % 11) % 10
}
