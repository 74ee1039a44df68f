import type { ReplyMessages } from '#messages/reply-messages';

export const SWEDISH_MESSAGES: ReplyMessages = {
  quoted: '”{text}”',
  accordingTo: 'Enligt ”{title}”:',
  mayAnswer: 'Det här stycket i ”{title}” kan besvara frågan:',
  alsoIn: '”{title}” tillägger:',
  overview: 'I korthet, ur dokumenten:',
  closest: 'Det här är det närmaste stycket jag hittade:',
  contradiction: 'Dokumenten skiljer sig åt:',
  notFound: 'Jag hittade inget svar på det i de dokument som jag kan se.',
  nothingAbout: 'Jag hittade inget om {subject} i de dokument som jag kan se.',
  missing: 'De stycken som hittades nämner inte {value}.',
  missingSeveral: 'De stycken som hittades nämner inte {values}.',
  mainPoints: 'Vad står det i ”{title}”?',
  rephrase: 'Prova med andra ord eller fråga om något som dokumenten tar upp.',
  rephraseLike: 'Prova med andra ord eller fråga om något som dokumenten tar upp, till exempel {titles}.',
  noDocuments:
    'Det finns ännu inga dokument som jag kan söka i åt dig. Ladda upp dokument eller anslut en källa och fråga sedan igen.',
  notYet: 'Jag kan inte svara ännu.',
  indexing: {
    one: '{count} dokument håller fortfarande på att indexeras.',
    other: '{count} dokument håller fortfarande på att indexeras.',
  },
  askAgainLater: 'Fråga gärna igen om några minuter.',
  withheld:
    'Det här svaret visas inte längre: det bygger på dokument som har tagits bort eller som du inte längre får läsa. Fråga igen för att få ett nytt svar.',
  greeting: 'Hej! Ställ en fråga om dina dokument, så citerar jag de stycken som besvarar den.',
  thanks: 'Varsågod. Fråga gärna om du behöver något mer.',
  farewell: 'Hej då!',
  aboutMe:
    'Jag är Lectern med sin inbyggda extraktiva modell: jag söker i dina dokument och citerar de meningar som besvarar din fråga, med källor. Jag skriver inga egna texter.',
  acknowledged: 'Okej. Vad vill du slå upp i dina dokument?',
};
