import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { listFiles } from "./architecture/source-tree.ts"
import { literalText, parseSource, type SyntaxNode, walk } from "./architecture/syntax.ts"
import { repositoryFolder } from "./run-tool.ts"

/** Texts that the specification writes with capitals inside, and 'Voltar ao Início', which the payers' pages keep beside them. */
const specified = [
  ...["Nova Cobrança", "Páginas de Cobrança", "Meu Perfil", "Solicitar Saque", "Página Não Encontrada"],
  ...["Nova Configuração", "Criar Configuração", "Inicializar Configurações Padrão", "Inicializar Padrões"],
  ...["Configurações do Sistema", "Gerar Relatório", "Transações por Dia", "Métodos de Pagamento", "Receita Mensal"],
  ...["Top 5 Usuários", "Cartão de Crédito", "Cartão de Débito", "Pagamento Seguro", "Pagamento 100% Seguro"],
  ...["Gerar PIX Instantâneo", "PIX Gerado", "Copiar Código PIX", "Pagamento Aprovado", "Pagamento Expirado"],
  ...["Pagamento Realizado com Sucesso", "Erro no Pagamento", "Tentar Novamente", "Voltar ao Início"],
]

/** Names of people's institutions, of documents, and of screens and roles where a sentence speaks of them. */
const names = [
  ...[
    "Pix Automático",
    "Pix",
    "QR Code",
    "Banco do Brasil",
    "Banco Central",
    "Brasília",
    "São Paulo",
    "WhatsApp",
    "Samsung Internet",
  ],
  ...[
    "Ana Souza",
    "Caio Reis",
    "Bruno Dias",
    "Bruno Lima",
    "Carla Dias",
    "Beto Lima",
    "João Lima",
    "Loja da Bia",
    "Bia Reis",
    "Tela de Início",
  ],
  ...["Doces da Ana", "WebP", "em Sistema", "no Extrato", "No Extrato", "use Enviar", "escolha Exportar"],
  ...["Mentoria de Vendas", "Mentoria da Ana", "Chrome no Android", "Mozilla/5.0", "X11; Linux", "Gecko", "Firefox"],
  ...["Tilinta", "tela Sistema", "PostgreSQL", "PgBouncer", "Woovi", "Efí", "Itaú", "AppID", "JavaScript", "Ed25519"],
  ...["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "EnvironmentFile", "criada em Integrações"],
  ...["Idempotency-Key", "Client Key", "Server Key", "Bad Request", "Request Timeout", "Meta+K", "API/Plugins"],
  ...["Lei Geral de Proteção de Dados", "Termos de Serviço", "Política de Privacidade"],
  ...["Pagamentos a conferir", "Conciliar recebimentos", "para Usuário antes", "Horário de Brasília", "Conta ?"],
  ...[
    "Google Authenticator",
    "1Password",
    "Aegis",
    "Meu perfil",
    "seção Segurança",
    "em Integrações",
    "em Configurações",
    "Retorno à loja",
    "Windows-1252",
    "escolha Salvar",
    "deve ser Nome",
    "Google Planilhas",
    "do Excel",
  ],
]

const files = listFiles(repositoryFolder).filter(
  (file) =>
    /^(web\/src|contract\/src|server\/src)\/.*\.tsx?$/.test(file) &&
    !/\.test\.|server\/src\/demo\/|-examples|protected-names|vocabulary\/banks/.test(file),
)

test("Portuguese texts are in sentence case, but for the specification's own and for names", () => {
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    textsOf(file, readFileSync(join(repositoryFolder, file), "utf8"))
      .filter(
        (text) =>
          !text.startsWith("-----BEGIN") && !/^(?:[A-Z]{2} [\p{L}-]+ ?)+$/u.test(text) && hasCapitalInside(text),
      )
      .map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

test("a capital inside a text is found, one that begins a sentence or a name is not", () => {
  const wrong = ["Novo Usuário", "Editar Cobrança agora", "Copie o código. Depois Pague"]
  const right = [
    "Novo usuário",
    "Copie o código. Depois pague",
    "Código Pix copia e cola",
    "Nova Cobrança",
    "CPF do pagador",
  ]
  expect([...wrong, ...right].filter(hasCapitalInside)).toEqual(wrong)
  expect(
    textsOf("a.tsx", 'const a = <b title="Novo Usuário">Outro\n  Texto {sql`as "Não Este"`} {`mais ${1} Um`}</b>'),
  ).toEqual(["Novo Usuário", "Outro Texto", "mais ? Um"])
})

/** Texts of more than one word, outside SQL. */
function textsOf(file: string, source: string): string[] {
  const texts: string[] = []
  walk(parseSource(file, source), (node, ancestors) => {
    if (ancestors.some(({ type }) => type === "TaggedTemplateExpression")) return
    const text = textOf(node)?.replaceAll(/\s+/g, " ").trim()
    if (text?.includes(" ")) texts.push(text)
  })
  return texts
}

function textOf(node: SyntaxNode): string | null {
  return node.type === "JSXText" ? String(node["value"]) : literalText(node)
}

function hasCapitalInside(text: string): boolean {
  const rest = [...specified, ...names].reduce((left, known) => left.replaceAll(known, "·"), text)
  return /[\p{L}\d,·)”] \p{Lu}\p{Ll}/u.test(rest)
}
