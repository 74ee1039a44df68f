import type { ReplyMessages } from '#messages/reply-messages';

export const PORTUGUESE_MESSAGES: ReplyMessages = {
  quoted: '“{text}”',
  accordingTo: 'Segundo “{title}”:',
  mayAnswer: 'Este trecho de “{title}” pode responder à pergunta:',
  alsoIn: '“{title}” acrescenta:',
  overview: 'Em resumo, de acordo com os documentos:',
  closest: 'Este é o trecho mais próximo que encontrei:',
  contradiction: 'Os documentos divergem:',
  notFound: 'Não encontrei uma resposta para essa pergunta nos documentos que posso ver.',
  nothingAbout: 'Não encontrei nada sobre {subject} nos documentos que posso ver.',
  missing: 'Os trechos encontrados não mencionam {value}.',
  missingSeveral: 'Os trechos encontrados não mencionam {values}.',
  mainPoints: 'O que diz “{title}”?',
  rephrase: 'Tente com outras palavras ou pergunte sobre algo que esteja nos documentos.',
  rephraseLike: 'Tente com outras palavras ou pergunte sobre algo que esteja nos documentos, por exemplo {titles}.',
  noDocuments:
    'Ainda não há documentos em que eu possa pesquisar. Envie documentos ou ligue uma fonte e pergunte novamente.',
  notYet: 'Ainda não posso responder.',
  indexing: {
    one: '{count} documento ainda está em processo de indexação.',
    other: '{count} documentos ainda estão em processo de indexação.',
  },
  askAgainLater: 'Pergunte novamente dentro de alguns minutos, por favor.',
  withheld:
    'Esta resposta já não é mostrada: baseia-se em documentos que foram eliminados ou que você já não pode ler. Pergunte novamente para obter uma nova resposta.',
  greeting: 'Olá! Faça uma pergunta sobre os seus documentos, e eu citarei os trechos que respondem a ela.',
  thanks: 'De nada. Pergunte se precisar de mais alguma coisa.',
  farewell: 'Até logo!',
  aboutMe:
    'Sou o Lectern com o seu modelo extrativo integrado: pesquiso nos seus documentos e cito as frases que respondem à sua pergunta, com as respetivas fontes. Não escrevo textos próprios.',
  acknowledged: 'Está bem. O que deseja procurar nos seus documentos?',
};
