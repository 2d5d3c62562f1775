/** Names that Brazilian shops and people really have, among them those that come near a protected one. */
export const honestShopNames = `
Vivo Bem Produtos Naturais; Casa Claro; Claro Enigma Livraria; Espaço Claro; Céu Claro Decorações; Dia Claro Padaria; Vivo de Arte; Bem Vivo Academia; Viva Vida; Vivos e Fortes
Oi Bebê Enxovais; Oi Menina Boutique; Oi Docinho; Tim Maia Cover; Tim Tattoo; Tintim Buffet; Sky Bar e Lounge; Blue Sky Viagens; Sky Drones; Light Fit Marmitas
Marmita Light da Bia; Vida Light; Cozinha Light; Stone Marmoraria; Rolling Stone Bar; Moonstone Joias; Nu Artístico Estúdio; Nua e Crua Cosméticos; Havana Café; Havaianas do Zé
Americana Calçados; Casa Americana; Panamericanas Turismo; Amazônia Sabores; Açaí da Amazônia; Amazonas Pescados; Amazonense Lanches; Perfumes Amazônicos; Banco de Tecidos da Lu; Banco de Jardim Artesanal
Caixa de Mimos; Caixa Encantada; Fluxo de Caixa Consultoria; Caixinha Feliz; Inter de Limeira Loja; Internacional Idiomas; Interativa Cursos; Original Burger; Original do Sertão; Neon Letreiros
Neon Festas; Safra Café; Boa Safra Agro; Pan Padaria Artesanal; Pão de Queijo da Pan; Master Som; Master Pizza; Next Level Games; Will Barbearia; Wise English School
Ame Flores; Ame Mais Bijuterias; Rico Sabor; Rica Essência; Elo Noivas; Elos Joias; Visa Óculos; Visão Ótica; Cielito Lindo Tacos; Céu e Mar Pousada
Receita da Vovó; Receitas do Brasil; Receita de Bolo; Doce Receita; Correio Elegante Festas; Correio do Amor; Polícia e Ladrão Escape Room; Justiça Seja Feita Camisetas; Tribuna Livre Livros; Governo do Lar Organização
Detranquilo Turismo; Rede Transportes; Nova Rede Transportadora; Transporte do Detinho; Proconstruir Engenharia; Proconsult Contábil; Procópio Lanches; Sefora Modas; Serasmin Bijoux; Será Que Serve Brechó
Anabela Telas; Ana Teles Fotografia; Anvisual Óptica; Iguana Surf; Incrível Doces; Encanta Pão; Bacana Store; Bacenas Moveis; Asas do Sabor; Asa Sul Pizzaria
Sicó Bar; Cresce Sol Energia Solar; Unicor Tintas; Unigredos Assessoria; Picolé do Pai; Pic Nic Park; Pague Menos Roupas; Pagode do Zeca; Mercado do Bairro; Mercado da Praça
Mercadinho Livre Escolha; Supermercado São José; Casa Bahiana; Bahia Casa e Jardim; Tempero da Bahia; Ponto Frito Pastéis; Ponto do Açaí; Ponto Certo Conveniência; Luiza Modas; Magazine da Moda
Renner Advocacia; Riachuelo Turismo; Bazar da Shopenhauer; Chá e Inhame; Shin Kan Karatê; Netuno Pesca; Net Games Lan House; Flix Pipocas; Fome de Quê; Food Truck do Ifé
Energia Positiva Yoga; Luz e Vida Velas; Luz do Sol Artesanato; Energia Fit; Elektra Som; Elétrica Silva; Eletro Brás Reparos; Sabe Tudo Cursos; Sabe Sport; Saber Doce
Copa do Mundo Figurinhas; Copacabana Suítes; Copa e Cozinha Planejados; Copélia Doces; Cemitério das Almas RPG; Semig Moda; Celeste Flores; Celestial Terapias; Coelho Branco Ovos; Coelhinho Feliz
Fogão com Gás e Cia; Gás do Povo; Peso Certo Transportes; Com Pesar Floricultura; Em Base Engenharia; Embasamento Treinamentos; Corsa Peças; Corsário Bar; Sane Ar Climatização; Sanear Jardins
Cedar Móveis; Cedro Marcenaria; Algarve Restaurante; Algas Naturais; Edifica Projetos; Tema Festas; Temudo Imóveis; Tempo Livre Pesca; Enelise Ateliê; Enéias Barbearia
Ana Souza; João Pereira; Maria Aparecida dos Santos; José Carlos Lima; Antônio Ferreira ME; Francisca das Chagas; Paulo Henrique Alves; Luciana Martins; Marcos Vinícius Rocha; Fernanda Oliveira
Itaúna Calçados; Pousada Itaúnas; Itaueira Frutas; Itapuã Surf
Santa Anderson; Santo André Peças; Bradiesel Oficina; Brado Estamparia; Nubia Bank Beauty; Núbia Banquetes; Nuvem Branca Lavanderia; Banca do Brás; Banca da Esquina; Brasil Banquetes
Stella Tilintando; Tilintar Sinos; Tinta e Linha; Tilápia Pescados; Central de Atendimento Pet; Atendimento Veterinário 24h; Suporte Técnico do Léo; Suporte de Parede Shop; Conta Comigo Babás; Contas e Miçangas
Brasil Colonial Móveis; Brasil Tropical; Oficial Sport; Ateliê da Nona; Ateliê Fio de Lã; Arte em Feltro; Artesanato da Dona Cida; Bazar da Vila; Bella Donna Moda; Bicho Mimado
Bike do Guga; Bistrô da Praia; Bolo no Pote da Ju; Bolos da Tia Rô; Boutique da Carne; Brechó da Lua; Brigadeiro & Cia; Buffet Alegria; Cabana do Peixe; Café com Prosa
Café Serra Azul; Camisetas 100% Algodão; Cantinho da Costura; Casa das Linhas; Casa do Mel; Cerâmica Viva; Chácara do Vale; Chocolates da Serra; Churros do Gordo; Clínica João & José
Clube do Livro; Coisas de Minas; Colégio Nova Era; Confeitaria Doce Lar; Consertos Rápidos; Construmais; Costura Criativa; Cursos da Prof. Rita; Delícias da Nair; Dentista Dr. Silva
Doce Encanto; Doces da Caixa Encantada; Dona Flor; Dr.Silva Odontologia; Drogaria Central; Empório Sabor da Roça; Escola de Música Dó Ré Mi; Escola de Surf Onda Boa; Espetinho do Alemão; Estética Bem-Estar
Estúdio 8; Estúdio de Dança Passo a Passo; Farmácia do Povo; Feira Orgânica; Ferragens São Pedro; Flor de Liz; Fotografia Bruno M.; Frutas do Norte; Garagem 42; Gelato Mio
Gráfica Rápida Ltda.; Hamburgueria 7; Horta da Vila; Hostel Maré; Ideias em Papel; Imobiliária Porto; J.R. Modas; J. B. Construções; Jardim Secreto; Joias da Terra
Kit Festa Já; Kombi do Pastel; L.A. Modas; Laços da Bia; Lanchonete do Tião; Lavanderia Express; Livraria Ler é Bom; Loja da Costureira; Loja do Pescador; Lojinha da Ana
M.A. Pizzaria; Mãe de Pet; Malharia Sul; Maria Bonita; Marcenaria Tradição; Massas da Mamma; Mecânica 2 Irmãos; Meias & Cia. Infantil; Mel do Sertão; Mentoria 1:1
Móveis Rústicos; Mundo Geek; Música na Praça; Natura Bella; Ótica Bom Preço; Padaria Pão Quente; Papelaria Arco-Íris; Pastel da Feira; Personal Carla; Pet Shop Patinhas
Pizza & Vinho; Planeta Kids; Pousada Mar Azul; Quitanda da Esquina; Quitutes da Vó; R.S. Transportes; Rações do Campo; Rosa dos Ventos; Sabor & Arte; Salão da Neide
Sapataria Passos; Sebo do Centro; Serralheria União; Sorvetes Polar; Studio Pilates Corpo; Tabacaria 99; Tapioca da Praia; Tecidos & Tramas; Temperos da Índia; Toca do Coelho
Uniformes Escolares; Verde Vida; Vila do Chá; Vinhos do Vale; Xaropes da Mata; Yoga na Praia; Zen Massagens; 4 Patas; 7 Mares Pescados; 日本語の授業
`
  .split(/[;\n]/)
  .map((name) => name.trim())
  .filter((name) => name !== "")
