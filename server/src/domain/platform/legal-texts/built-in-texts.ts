import type { LegalKind } from "@tilinta/contract/vocabulary/legal-texts"

/** A line that begins with # is a heading. */
function textOf(sections: readonly (readonly [heading: string, text: string])[]): string {
  return sections.map(([heading, text]) => `# ${heading}\n${text}`).join("\n\n")
}

/** In force until the operator publishes their own. Changing a word here changes what people accepted: add settings instead. */
export const builtInTexts: Record<LegalKind, string> = {
  terms: textOf([
    [
      "O serviço",
      "Esta plataforma permite criar páginas de cobrança, receber pagamentos por Pix e acompanhar saldo e transações.",
    ],
    [
      "Sua conta",
      "Você responde pelos dados que informa e pelo sigilo da sua senha. Uma conta usada para fraude ou atividade ilícita pode ser desativada.",
    ],
    [
      "Taxas",
      "De cada pagamento recebido é descontada a taxa da plataforma, mostrada antes de você criar a cobrança. Uma mudança de taxa nunca altera cobranças já geradas.",
    ],
    [
      "Estornos e cancelamentos",
      "Você pode cancelar uma cobrança ativa a qualquer momento. Pagamentos já confirmados continuam no seu histórico.",
    ],
    [
      "Encerramento",
      "Você pode excluir a sua conta no seu perfil quando ela estiver sem saldo e sem nada em andamento.",
    ],
  ]),
  privacy: textOf([
    [
      "O que guardamos de quem vende",
      "Os dados do cadastro, as cobranças e as transações delas, os saques e seus destinos, e de onde e quando a conta foi usada.",
    ],
    [
      "O que guardamos de quem paga",
      "Só os dados que a página de quem vende pede: nome, e-mail, CPF ou telefone. Quem vende os vê, e responde pelo uso que faz deles.",
    ],
    [
      "Para quê",
      "Prestar o serviço, cumprir obrigações legais e prevenir fraudes. Não vendemos dados a ninguém, e nenhuma página carrega conteúdo de terceiros.",
    ],
    [
      "Por quanto tempo",
      "Os dados de quem paga são apagados algum tempo depois do último acontecimento da cobrança; endereços IP e dispositivos também têm prazo. Pagamentos, saques e lançamentos ficam pelo tempo que a lei manda.",
    ],
    [
      "Seus direitos",
      "Quem vende baixa os seus dados, e exclui a conta, no seu perfil. Quem paga vê, corrige e apaga os seus na página do comprovante. Para tudo o mais, escreva ao contato no fim desta página.",
    ],
  ]),
}
