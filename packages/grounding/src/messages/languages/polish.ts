import type { ReplyMessages } from '#messages/reply-messages';

export const POLISH_MESSAGES: ReplyMessages = {
  quoted: '„{text}”',
  accordingTo: 'Według dokumentu „{title}”:',
  mayAnswer: 'Ten fragment dokumentu „{title}” może odpowiadać na pytanie:',
  alsoIn: 'Dokument „{title}” dodaje:',
  overview: 'W skrócie, na podstawie dokumentów:',
  closest: 'Oto najbliższy fragment, jaki udało mi się znaleźć:',
  contradiction: 'Dokumenty różnią się od siebie:',
  notFound: 'W dokumentach, które widzę, nie ma odpowiedzi na to pytanie.',
  nothingAbout: 'W dokumentach, które widzę, nie ma nic na temat: {subject}.',
  missing: 'W znalezionych fragmentach nie ma wzmianki o tym: {value}.',
  missingSeveral: 'W znalezionych fragmentach nie ma wzmianki o tym: {values}.',
  mainPoints: 'Co zawiera dokument „{title}”?',
  rephrase: 'Proszę spróbować innych słów albo zapytać o coś, o czym jest mowa w dokumentach.',
  rephraseLike:
    'Proszę spróbować innych słów albo zapytać o coś, o czym jest mowa w dokumentach, na przykład: {titles}.',
  noDocuments:
    'Nie ma jeszcze dokumentów, które można przeszukać. Proszę przesłać dokumenty lub podłączyć źródło, a potem zapytać ponownie.',
  notYet: 'Jeszcze nie mogę odpowiedzieć.',
  indexing: {
    one: '{count} dokument jest jeszcze indeksowany.',
    few: '{count} dokumenty są jeszcze indeksowane.',
    many: '{count} dokumentów jest jeszcze indeksowanych.',
    other: '{count} dokumentu jest jeszcze indeksowane.',
  },
  askAgainLater: 'Proszę zapytać ponownie za kilka minut.',
  withheld:
    'Ta odpowiedź nie jest już wyświetlana: opiera się na dokumentach, które zostały usunięte lub do których nie ma już dostępu. Proszę zapytać ponownie, aby otrzymać nową odpowiedź.',
  greeting: 'Dzień dobry! Proszę zadać pytanie o dokumenty, a zacytuję fragmenty, które na nie odpowiadają.',
  thanks: 'Proszę bardzo. W razie potrzeby proszę pytać dalej.',
  farewell: 'Do widzenia!',
  aboutMe:
    'Jestem Lectern z wbudowanym modelem ekstrakcyjnym: przeszukuję dokumenty i cytuję zdania, które odpowiadają na pytanie, wraz z ich źródłami. Nie piszę własnych tekstów.',
  acknowledged: 'Dobrze. Czego mam poszukać w dokumentach?',
};
