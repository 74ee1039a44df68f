import type { ReplyMessages } from '#messages/reply-messages';

export const HUNGARIAN_MESSAGES: ReplyMessages = {
  quoted: '„{text}”',
  accordingTo: 'A(z) „{title}” szerint:',
  mayAnswer: 'A(z) „{title}” következő része talán megválaszolja a kérdést:',
  alsoIn: 'A(z) „{title}” ezt is tartalmazza:',
  overview: 'Röviden, a dokumentumok alapján:',
  closest: 'A legközelebbi szövegrész, amelyet találtam:',
  contradiction: 'A dokumentumok eltérnek egymástól:',
  notFound: 'Erre nem találtam választ azokban a dokumentumokban, amelyeket látok.',
  nothingAbout: 'Nem találtam semmit erről: {subject} – azokban a dokumentumokban, amelyeket látok.',
  missing: 'A megtalált szövegrészek nem említik ezt: {value}.',
  missingSeveral: 'A megtalált szövegrészek nem említik ezeket: {values}.',
  mainPoints: 'Mit tartalmaz a(z) „{title}”?',
  rephrase: 'Próbálja meg más szavakkal, vagy kérdezzen olyasmiről, amiről a dokumentumok szólnak.',
  rephraseLike:
    'Próbálja meg más szavakkal, vagy kérdezzen olyasmiről, amiről a dokumentumok szólnak, például: {titles}.',
  noDocuments:
    'Még nincsenek olyan dokumentumok, amelyekben kereshetnék. Töltsön fel dokumentumokat, vagy csatlakoztasson egy forrást, majd tegye fel újra a kérdést.',
  notYet: 'Még nem tudok válaszolni.',
  indexing: {
    one: '{count} dokumentum indexelése még folyamatban van.',
    other: '{count} dokumentum indexelése még folyamatban van.',
  },
  askAgainLater: 'Kérem, tegye fel újra a kérdést néhány perc múlva.',
  withheld:
    'Ez a válasz már nem jelenik meg: olyan dokumentumokon alapul, amelyeket töröltek, vagy amelyeket Ön már nem olvashat. Tegye fel újra a kérdést, hogy új választ kapjon.',
  greeting: 'Jó napot! Kérdezzen a dokumentumairól, és idézem azokat a részeket, amelyek választ adnak.',
  thanks: 'Szívesen. Kérdezzen bátran, ha másra is szüksége van.',
  farewell: 'Viszontlátásra!',
  aboutMe:
    'A Lectern vagyok, a beépített kivonatoló modellel: keresek a dokumentumaiban, és idézem azokat a mondatokat, amelyek válaszolnak a kérdésére, a forrásukkal együtt. Saját szöveget nem írok.',
  acknowledged: 'Rendben. Mit szeretne megkeresni a dokumentumaiban?',
};
