import type { ReplyMessages } from '#messages/reply-messages';

export const DANISH_MESSAGES: ReplyMessages = {
  quoted: '»{text}«',
  accordingTo: 'Ifølge »{title}«:',
  mayAnswer: 'Dette afsnit i »{title}« besvarer måske spørgsmålet:',
  alsoIn: '»{title}« tilføjer:',
  overview: 'Kort fortalt, ud fra dokumenterne:',
  closest: 'Dette er det nærmeste afsnit, jeg fandt:',
  contradiction: 'Dokumenterne er ikke enige:',
  notFound: 'Jeg kunne ikke finde et svar på det i de dokumenter, jeg kan se.',
  nothingAbout: 'Jeg fandt ikke noget om {subject} i de dokumenter, jeg kan se.',
  missing: 'De fundne afsnit nævner ikke {value}.',
  missingSeveral: 'De fundne afsnit nævner ikke {values}.',
  mainPoints: 'Hvad står der i »{title}«?',
  rephrase: 'Prøv med andre ord, eller spørg om noget, som dokumenterne handler om.',
  rephraseLike: 'Prøv med andre ord, eller spørg om noget, som dokumenterne handler om, for eksempel {titles}.',
  noDocuments:
    'Der er endnu ingen dokumenter, som jeg kan søge i for dig. Upload dokumenter, eller tilslut en kilde, og spørg så igen.',
  notYet: 'Jeg kan ikke svare endnu.',
  indexing: {
    one: '{count} dokument er stadig ved at blive indekseret.',
    other: '{count} dokumenter er stadig ved at blive indekseret.',
  },
  askAgainLater: 'Spørg gerne igen om nogle få minutter.',
  withheld:
    'Dette svar vises ikke længere: Det bygger på dokumenter, som er blevet slettet, eller som du ikke længere må læse. Spørg igen for at få et nyt svar.',
  greeting: 'Hej! Stil et spørgsmål om dine dokumenter, så citerer jeg de afsnit, der besvarer det.',
  thanks: 'Det var så lidt. Spørg endelig, hvis du har brug for mere.',
  farewell: 'Farvel!',
  aboutMe:
    'Jeg er Lectern med den indbyggede ekstraktive model: Jeg søger i dine dokumenter og citerer de sætninger, der besvarer dit spørgsmål, med deres kilder. Jeg skriver ikke selv tekster.',
  acknowledged: 'Okay. Hvad vil du slå op i dine dokumenter?',
};
