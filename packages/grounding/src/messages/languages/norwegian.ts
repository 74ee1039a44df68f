import type { ReplyMessages } from '#messages/reply-messages';

export const NORWEGIAN_MESSAGES: ReplyMessages = {
  quoted: '«{text}»',
  accordingTo: 'Ifølge «{title}»:',
  mayAnswer: 'Dette avsnittet i «{title}» kan besvare spørsmålet:',
  alsoIn: '«{title}» legger til:',
  overview: 'Kort sagt, ut fra dokumentene:',
  closest: 'Dette er det nærmeste avsnittet jeg fant:',
  contradiction: 'Dokumentene er ikke enige:',
  notFound: 'Jeg fant ikke noe svar på det i dokumentene jeg kan se.',
  nothingAbout: 'Jeg fant ikke noe om {subject} i dokumentene jeg kan se.',
  missing: 'Avsnittene som ble funnet, nevner ikke {value}.',
  missingSeveral: 'Avsnittene som ble funnet, nevner ikke {values}.',
  mainPoints: 'Hva står det i «{title}»?',
  rephrase: 'Prøv med andre ord, eller spør om noe som dokumentene handler om.',
  rephraseLike: 'Prøv med andre ord, eller spør om noe som dokumentene handler om, for eksempel {titles}.',
  noDocuments:
    'Det finnes ennå ingen dokumenter som jeg kan søke i for deg. Last opp dokumenter eller koble til en kilde, og spør så igjen.',
  notYet: 'Jeg kan ikke svare ennå.',
  indexing: {
    one: '{count} dokument er fortsatt under indeksering.',
    other: '{count} dokumenter er fortsatt under indeksering.',
  },
  askAgainLater: 'Spør gjerne igjen om noen få minutter.',
  withheld:
    'Dette svaret vises ikke lenger: Det bygger på dokumenter som er slettet, eller som du ikke lenger har lov til å lese. Spør igjen for å få et nytt svar.',
  greeting: 'Hei! Still et spørsmål om dokumentene dine, så siterer jeg avsnittene som besvarer det.',
  thanks: 'Bare hyggelig. Spør gjerne hvis du trenger noe mer.',
  farewell: 'Ha det bra!',
  aboutMe:
    'Jeg er Lectern med den innebygde ekstraktive modellen: Jeg søker i dokumentene dine og siterer setningene som besvarer spørsmålet ditt, med kildene deres. Jeg skriver ikke egne tekster.',
  acknowledged: 'Greit. Hva vil du slå opp i dokumentene dine?',
};
