/** A page that anybody may pay, any number of times. */
export interface DemoPage {
  title: string
  description: string
  reais: number
  perWeek: number
  /** Customer data that the page asks for. */
  asks: "nothing" | "name" | "contact" | "everything"
  /** The page's payment limit; none when absent. */
  places?: number
  /** A change of the page, so many days before the end of the story. */
  fate?: { daysBefore: number; what: "cancelled" | "deleted" | { newReais: number } }
}

/** Pages for one customer each. */
export interface DemoOrders {
  titles: readonly string[]
  description: string
  reais: readonly [least: number, most: number]
  perWeek: number
  expiresInHours: 0 | 24 | 48 | 72
}

export interface DemoSeller {
  name: string
  /** The part before the @; the domain can't exist. */
  mailbox: string
  city: readonly [name: string, state: string, areaCode: string, zipCode: string]
  street: readonly [name: string, number: string, neighborhood: string]
  bank: string
  isPaidBy: "pix-cpf" | "pix-email" | "pix-phone" | "bank_transfer"
  joinedOnDay: number
  pages: readonly DemoPage[]
  orders?: DemoOrders
}

export const demoSellers: readonly DemoSeller[] = [
  {
    name: "Ana Beatriz Moreira",
    mailbox: "ana@docesdaana",
    city: ["São Paulo", "SP", "11", "05433001"],
    street: ["Rua Harmonia", "482", "Vila Madalena"],
    bank: "260 - Nu Pagamentos",
    isPaidBy: "pix-email",
    joinedOnDay: 0,
    pages: [
      {
        title: "Caixa de brigadeiros gourmet",
        description: "Doze brigadeiros, feitos no dia",
        reais: 48,
        perWeek: 7,
        asks: "contact",
      },
      {
        title: "Bolo de aniversário (sinal)",
        description: "Metade agora, metade na entrega",
        reais: 95,
        perWeek: 3,
        asks: "contact",
      },
      {
        title: "Oficina de chocolate para crianças",
        description: "Sábado à tarde, com lanche incluído",
        reais: 120,
        perWeek: 3,
        places: 30,
        asks: "everything",
      },
      {
        title: "Cesta de café da manhã",
        description: "Para duas pessoas, entregue em casa",
        reais: 149.9,
        perWeek: 2,
        asks: "name",
        fate: { daysBefore: 48, what: "cancelled" },
      },
    ],
    orders: {
      titles: ["Bolo de casamento", "Mesa de doces para festa", "Torta de frutas", "Kit festa 30 pessoas"],
      description: "Encomenda combinada por mensagem",
      reais: [180, 920],
      perWeek: 3,
      expiresInHours: 72,
    },
  },
  {
    name: "Carlos Eduardo Nogueira",
    mailbox: "carlos@nogueirapersonal",
    city: ["Curitiba", "PR", "41", "80420090"],
    street: ["Rua Comendador Araújo", "143", "Centro"],
    bank: "341 - Itaú Unibanco",
    isPaidBy: "pix-cpf",
    joinedOnDay: 2,
    pages: [
      {
        title: "Mensalidade do treino em grupo",
        description: "Três treinos por semana",
        reais: 189,
        perWeek: 4,
        asks: "contact",
      },
      {
        title: "Aula avulsa",
        description: "Uma hora de treino individual",
        reais: 90,
        perWeek: 3,
        asks: "name",
        fate: { daysBefore: 30, what: { newReais: 98 } },
      },
    ],
  },
  {
    name: "Mariana Alves Prado",
    mailbox: "mariana@auroraestudio",
    city: ["Florianópolis", "SC", "48", "88062000"],
    street: ["Avenida Afonso Delambert Neto", "615", "Lagoa da Conceição"],
    bank: "077 - Banco Inter",
    isPaidBy: "pix-phone",
    joinedOnDay: 4,
    pages: [
      {
        title: "Yoga: pacote de oito aulas",
        description: "Válido por dois meses",
        reais: 320,
        perWeek: 3,
        asks: "contact",
      },
      {
        title: "Retiro de fim de semana",
        description: "Com hospedagem e refeições",
        reais: 780,
        perWeek: 2,
        places: 14,
        asks: "everything",
      },
    ],
  },
  {
    name: "João Pedro Cavalcante",
    mailbox: "joao@violaocomjp",
    city: ["Recife", "PE", "81", "52060040"],
    street: ["Rua do Futuro", "77", "Graças"],
    bank: "290 - PagBank",
    isPaidBy: "pix-cpf",
    joinedOnDay: 6,
    pages: [
      {
        title: "Aula de violão pela internet",
        description: "Cinquenta minutos, ao vivo",
        reais: 75,
        perWeek: 4,
        asks: "name",
      },
    ],
  },
  {
    name: "Fernanda Lima Teixeira",
    mailbox: "contato@fernandateixeirapsi",
    city: ["Belo Horizonte", "MG", "31", "30140071"],
    street: ["Rua dos Aimorés", "1250", "Funcionários"],
    bank: "001 - Banco do Brasil",
    isPaidBy: "bank_transfer",
    joinedOnDay: 7,
    pages: [
      {
        title: "Sessão de psicoterapia",
        description: "Presencial ou por vídeo",
        reais: 210,
        perWeek: 5,
        asks: "everything",
      },
    ],
  },
  {
    name: "Rafael Souza Brandão",
    mailbox: "rafael@brandaofoto",
    city: ["Rio de Janeiro", "RJ", "21", "22410003"],
    street: ["Rua Garcia d'Ávila", "58", "Ipanema"],
    bank: "260 - Nu Pagamentos",
    isPaidBy: "pix-email",
    joinedOnDay: 9,
    pages: [
      {
        title: "Ensaio na praia",
        description: "Uma hora e vinte fotos tratadas",
        reais: 450,
        perWeek: 2,
        asks: "contact",
      },
    ],
    orders: {
      titles: ["Cobertura de evento", "Álbum impresso", "Fotos para currículo", "Ensaio de família"],
      description: "Conforme o orçamento enviado",
      reais: [160, 1800],
      perWeek: 2,
      expiresInHours: 48,
    },
  },
  {
    name: "Luciana Ferraz Duarte",
    mailbox: "luciana@atelieferraz",
    city: ["Porto Alegre", "RS", "51", "90035003"],
    street: ["Avenida Osvaldo Aranha", "920", "Bom Fim"],
    bank: "748 - Sicredi",
    isPaidBy: "bank_transfer",
    joinedOnDay: 11,
    pages: [],
    orders: {
      titles: ["Ajuste de vestido", "Barra de calça", "Blusa sob medida", "Vestido de festa", "Reforma de casaco"],
      description: "Retirada no ateliê, até sábado",
      reais: [35, 640],
      perWeek: 4,
      expiresInHours: 24,
    },
  },
  {
    name: "Thiago Martins Rocha",
    mailbox: "thiago@rochatecnica",
    city: ["Goiânia", "GO", "62", "74120020"],
    street: ["Rua 9", "310", "Setor Oeste"],
    bank: "756 - Sicoob",
    isPaidBy: "pix-phone",
    joinedOnDay: 13,
    pages: [
      {
        title: "Visita técnica",
        description: "O valor é abatido do conserto",
        reais: 80,
        perWeek: 3,
        asks: "contact",
      },
    ],
    orders: {
      titles: ["Conserto de notebook", "Troca de tela", "Recuperação de arquivos", "Limpeza de computador"],
      description: "Garantia de noventa dias",
      reais: [120, 780],
      perWeek: 3,
      expiresInHours: 48,
    },
  },
  {
    name: "Patrícia Gomes Siqueira",
    mailbox: "patricia@inglescompatricia",
    city: ["Campinas", "SP", "19", "13025240"],
    street: ["Rua Emílio Ribas", "805", "Cambuí"],
    bank: "237 - Bradesco",
    isPaidBy: "pix-cpf",
    joinedOnDay: 16,
    pages: [
      {
        title: "Inglês: mensalidade da turma B1",
        description: "Duas aulas por semana",
        reais: 260,
        perWeek: 3,
        asks: "contact",
      },
      {
        title: "Conversação às sextas",
        description: "Encontro de uma hora e meia",
        reais: 45,
        perWeek: 3,
        asks: "nothing",
      },
    ],
  },
  {
    name: "André Luiz Barreto",
    mailbox: "andre@marcenariabarreto",
    city: ["Salvador", "BA", "71", "41940360"],
    street: ["Rua Feira de Santana", "27", "Rio Vermelho"],
    bank: "104 - Caixa Econômica Federal",
    isPaidBy: "bank_transfer",
    joinedOnDay: 20,
    pages: [
      {
        title: "Tábua de corte em jaqueira",
        description: "Feita à mão, 40 × 25 cm",
        reais: 139.9,
        perWeek: 3,
        asks: "everything",
        fate: { daysBefore: 8, what: "deleted" },
      },
    ],
    orders: {
      titles: ["Entrada da estante", "Mesa de jantar: segunda parcela", "Aparador em cedro", "Restauro de cadeiras"],
      description: "Conforme o pedido assinado",
      reais: [350, 2900],
      perWeek: 1,
      expiresInHours: 72,
    },
  },
  {
    name: "Camila Rezende",
    mailbox: "camila@somdaserra",
    city: ["Petrópolis", "RJ", "24", "25680195"],
    street: ["Rua do Imperador", "288", "Centro"],
    bank: "336 - Banco C6",
    isPaidBy: "pix-email",
    joinedOnDay: 24,
    pages: [
      {
        title: "Festival Som da Serra: primeiro lote",
        description: "Ingresso para os dois dias",
        reais: 130,
        perWeek: 11,
        places: 45,
        asks: "everything",
      },
      {
        title: "Festival Som da Serra: meia solidária",
        description: "Com um quilo de alimento",
        reais: 65,
        perWeek: 5,
        asks: "everything",
      },
    ],
  },
  {
    name: "Marcos Vinícius Farias",
    mailbox: "marcos@importadosmv",
    city: ["Manaus", "AM", "92", "69020030"],
    street: ["Avenida Eduardo Ribeiro", "520", "Centro"],
    bank: "380 - PicPay",
    isPaidBy: "pix-email",
    joinedOnDay: 30,
    pages: [
      {
        title: "Fone de ouvido sem fio",
        description: "Pronta entrega em Manaus",
        reais: 219.9,
        perWeek: 3,
        asks: "contact",
      },
    ],
  },
]
