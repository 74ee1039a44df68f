import type { ReplyMessages } from '#messages/reply-messages';

export const CATALAN_MESSAGES: ReplyMessages = {
  quoted: '«{text}»',
  accordingTo: 'Segons «{title}»:',
  mayAnswer: 'Aquest passatge de «{title}» podria respondre la pregunta:',
  alsoIn: '«{title}» afegeix:',
  overview: 'En resum, segons els documents:',
  closest: 'Aquest és el passatge més proper que he trobat:',
  contradiction: 'Els documents no coincideixen:',
  notFound: 'No he trobat cap resposta a aquesta pregunta en els documents que puc veure.',
  nothingAbout: 'No he trobat res sobre {subject} en els documents que puc veure.',
  missing: 'Els passatges trobats no esmenten {value}.',
  missingSeveral: 'Els passatges trobats no esmenten {values}.',
  mainPoints: 'Què diu «{title}»?',
  rephrase: 'Proveu-ho amb altres paraules o pregunteu per alguna cosa que surti en els documents.',
  rephraseLike:
    'Proveu-ho amb altres paraules o pregunteu per alguna cosa que surti en els documents, per exemple {titles}.',
  noDocuments:
    'Encara no hi ha documents en què pugui cercar. Pugeu documents o connecteu una font i torneu a preguntar-ho.',
  notYet: 'Encara no puc respondre.',
  indexing: {
    one: 'Encara s’està indexant {count} document.',
    other: 'Encara s’estan indexant {count} documents.',
  },
  askAgainLater: 'Torneu a preguntar-ho d’aquí a uns minuts, si us plau.',
  withheld:
    'Aquesta resposta ja no es mostra: es basa en documents que s’han suprimit o que ja no podeu llegir. Torneu a preguntar-ho per obtenir una resposta nova.',
  greeting: 'Hola! Feu una pregunta sobre els vostres documents i citaré els passatges que la responen.',
  thanks: 'De res. Pregunteu si necessiteu res més.',
  farewell: 'A reveure!',
  aboutMe:
    'Sóc Lectern amb el seu model extractiu integrat: cerco en els vostres documents i cito les frases que responen la pregunta, amb les seves fonts. No escric textos propis.',
  acknowledged: 'D’acord. Què voleu cercar en els vostres documents?',
};
