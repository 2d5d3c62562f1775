import { describe, expect, test } from "vitest"
import { misleadingIn } from "./misleading-names.ts"

const own = ["Tilinta"]
const nameIn = (text: string) => {
  const found = misleadingIn(text, own)
  return found?.kind === "name" ? found.name : (found?.kind ?? null)
}

const borrowed: [text: string, name: string][] = [
  ["Nubank", "Nubank"],
  ["NUBANK Suporte", "Nubank"],
  ["Suporte do nubank.", "Nubank"],
  ["Nu bank", "Nubank"],
  ["N u b a n k", "Nubank"],
  ["N-u-b-a-n-k", "Nubank"],
  ["N.u.b.a.n.k", "Nubank"],
  ["N\u200bu\u200db\u2060ank", "Nubank"],
  ["Nu\u00adbank", "Nubank"],
  ["N\u202Eubank", "Nubank"],
  ["Nuḃánk", "Nubank"],
  ["Ｎｕｂａｎｋ", "Nubank"],
  ["𝐍𝐮𝐛𝐚𝐧𝐤", "Nubank"],
  ["Nub4nk", "Nubank"],
  ["Nub@nk", "Nubank"],
  ["Nuьаnk", "Nubank"],
  ["Νubаnк", "Nubank"],
  ["NubankOficial", "Nubank"],
  ["(Nubank)", "Nubank"],
  ["nubank-suporte", "Nubank"],
  ["N🏦ubank", "Nubank"],
  ["Itau", "Itaú"],
  ["ltaú", "Itaú"],
  ["1tau", "Itaú"],
  ["!taú", "Itaú"],
  ["Ιταυ", "Itaú"],
  ["Bradescо Prime", "Bradesco"],
  ["8radesco", "Bradesco"],
  ["$antander", "Santander"],
  ["5antander", "Santander"],
  ["Ѕаntаndеr", "Santander"],
  ["Banco do Brasil", "Banco do Brasil"],
  ["BANCO  DO  BRASIL S.A.", "Banco do Brasil"],
  ["bancodobrasil", "Banco do Brasil"],
  ["banco-do-brasil", "Banco do Brasil"],
  ["Caixa Economica Federal", "Caixa Econômica"],
  ["C A I X A  Econômica", "Caixa Econômica"],
  ["Banco Inter", "Banco Inter"],
  ["BTG", "BTG"],
  ["C6 Bank", "C6 Bank"],
  ["PicPay", "PicPay"],
  ["Pic Pay atendimento", "PicPay"],
  ["P1cPay", "PicPay"],
  ["PagSeguro", "PagSeguro"],
  ["Mercad0 Pag0", "Mercado Pago"],
  ["Receita Federal do Brasil", "Receita Federal"],
  ["receitafederal", "Receita Federal"],
  ["Rесеitа Fеdеrаl", "Receita Federal"],
  ["Receíta_Federál", "Receita Federal"],
  ["receita-federal", "Receita Federal"],
  ["Policia  Federal", "Polícia Federal"],
  ["Detran SP", "Detran"],
  ["D3TRAN", "Detran"],
  ["Multa do DETRAN/MG", "Detran"],
  ["Taxa dos Correios", "Correios"],
  ["gov.br pagamentos", "address"],
  ["Gov BR", "Gov BR"],
  ["INSS", "INSS"],
  ["Tilinta Suporte", "Tilinta"],
  ["Ti1inta", "Tilinta"],
  ["TIL1NTA", "Tilinta"],
  ["T i l i n t a", "Tilinta"],
]

const addresses = [
  "Acesse http://banco-seguro.example/entrar",
  "HTTPS://x",
  "www.loja",
  "loja.com.br",
  "LOJA.COM",
  "minha-loja.shop",
  "wa.me/5511999999999",
  "bit.ly/abc",
  "loja。com",
  "loja．com",
  "loja․com",
  "loja(.)com",
  "loja [.] com",
  "loja .com",
  "l\u200boja.c\u200bom",
  "ｗｗｗ．ｌｏｊａ．ｃｏｍ",
  "ana@loja.com.br",
]

const honest = [
  "Ana Souza",
  "Banco de tecidos",
  "Banco",
  "Caixa",
  "Caixa de bombons",
  "Caixa com 12 unidades",
  "Doces da Caixa Encantada",
  "Banco de jardim em madeira",
  "Fluxo de caixa para o seu negócio",
  "Central de atendimento",
  "Receita de bolo",
  "Receitas federais e estaduais, um curso de finanças públicas",
  "Inter de Limeira, camisa oficial",
  "Safra de café 2026",
  "Neon e letreiros",
  "Mentoria 1:1",
  "Aula 1.Com certificado de participação".replace(".C", ". C"),
  "Dr.Silva",
  "R$ 1.000,00 de desconto",
  "Versão 2.0",
  "Stella Tilintando",
  "Nubankar",
  "Itaúna Calçados",
  "Ônibus para Itaúnas",
  "Polícia e ladrão, peça de teatro",
  "Detranquilo",
  "Santa Anderson",
  "Visita guiada",
  "Curso in company",
  "Pagamento seguro do aluguel",
  "Seguro pag adiantado",
  "Wise",
  "Clínica João & José",
  "日本語の授業",
  "Уроки русского",
]

describe("names that belong to others are found", () => {
  test.each(borrowed)("%s", (text, name) => expect(nameIn(text)).toBe(name))
})

describe("addresses of sites are found", () => {
  test.each(addresses)("%s", (text) => expect(nameIn(text)).toBe("address"))
})

describe("honest names and titles pass", () => {
  test.each(honest)("%s", (text) => expect(nameIn(text)).toBe(null))
})

test("a platform with another name keeps that one for itself, and a blank name protects nothing", () => {
  expect(misleadingIn("Suporte Cobra Fácil", ["Cobra Fácil"])).toEqual({ kind: "name", name: "Cobra Fácil" })
  expect(misleadingIn("Ana Souza", ["", " "])).toBe(null)
})

test("a long text is read in a moment, whatever it is made of", () => {
  for (const word of ["nuban", "n ", "a.", "receita ", "i1l!"]) {
    // The process's own time, which a busy machine doesn't lengthen.
    const begin = process.cpuUsage()
    misleadingIn(word.repeat(500), own)
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(500)
  }
})
