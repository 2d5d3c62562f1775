const conventions = `# Convenções

Valores em reais, com no máximo duas casas; datas em ISO 8601, UTC; \`_id\` é opaco. Cada sucesso traz \`status\`, \`data\` e, nas
listas, \`results\`; cada recusa traz \`message\` (para mostrar), \`code\` (estável) e, se for o caso, \`errors\`. Repita com a mesma
\`Idempotency-Key\` o que falhou por rede ou 5xx: nada acontece duas vezes. Em TypeScript ou JavaScript, o pacote \`@tilinta/client\`
faz tudo isso.`

/** The reference's beginning: in a sandbox five calls that can be pasted into a terminal, from no account to a paid charge. */
export function firstSteps(publicUrl: string, isSandbox: boolean): string {
  return `# Primeiros passos\n\n${isSandbox ? sandboxSteps(publicUrl) : realSteps}\n\n${conventions}`
}

const realSteps = `1. Crie uma chave em **Integrações** (\`/developers\`), com as permissões de que o programa precisa.
2. Envie-a em cada chamada: \`Authorization: Bearer tk_live_…\`.
3. Crie uma página de cobrança, mostre o link ou o Pix a quem paga e acompanhe os eventos.

Esta instalação recebe dinheiro de verdade. Experimente antes numa de testes, em que um banco simulado paga.`

function sandboxSteps(publicUrl: string): string {
  return `Cole num terminal, na ordem. O dinheiro é de brincadeira: quem paga é um banco simulado.

**1. Abra uma conta e crie uma chave de API**, que só aparece nesta resposta. Quem já tem conta a cria em **Integrações**.

\`\`\`sh
API=${publicUrl}
TOKEN=$(curl -s $API/api/v1/auth/signup \\
  -H 'Content-Type: application/json' -d '{
    "name": "Loja de Teste",
    "email": "loja-'$(date +%s)'@exemplo.com.br",
    "cpf": "52998224725",
    "password": "senha-da-loja",
    "passwordConfirm": "senha-da-loja"
  }' | sed -E 's/.*"token":"([^"]+)".*/\\1/')
KEY=$(curl -s $API/api/v1/users/me/api-keys \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
    "name": "Minha loja",
    "scopes": ["pages:write", "transactions:read"],
    "passwordCurrent": "senha-da-loja"
  }' | sed -E 's/.*"key":"([^"]+)".*/\\1/')
\`\`\`

**2. Crie uma página de cobrança** para o seu pedido.

\`\`\`sh
PAGE=$(curl -s $API/api/v1/checkout/pages \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Idempotency-Key: pedido-1001' \\
  -H 'Content-Type: application/json' -d '{
    "title": "Pedido 1001",
    "slug": "pedido-1001",
    "amount": 49.9,
    "pixConfig": { "allowAnonymous": true }
  }' | sed -E 's/.*"checkoutPage":\\{"_id":"([^"]+)".*/\\1/')
\`\`\`

**3. Gere o Pix.** É o que faz a página, quando quem compra a abre.

\`\`\`sh
PIX=$(curl -s $API/api/v1/checkout/process-modern-pix-payment \\
  -H 'Content-Type: application/json' \\
  -d '{ "checkoutPageId": "'$PAGE'" }')
CODE=$(echo "$PIX" |
  sed -E 's/.*"pixCode":"([^"]+)".*/\\1/')
ID=$(echo "$PIX" |
  sed -E 's/.*"transactionId":"([^"]+)".*/\\1/')
\`\`\`

**4. Pague**, como faria o aplicativo do banco de quem compra. No navegador, isso se faz em [/simulador](${publicUrl}/simulador).

\`\`\`sh
curl -s $API/simulador/api/pagamentos \\
  -H 'Content-Type: application/json' \\
  -d '{ "pixCopiaECola": "'"$CODE"'" }'
\`\`\`

**5. Veja que foi paga.** O banco avisa em um instante.

\`\`\`sh
until curl -s $API/api/v1/checkout/payment-status/$ID |
  grep '"pago"'
do sleep 1; done
\`\`\``
}
