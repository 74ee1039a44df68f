import type { ReplyMessages } from '#messages/reply-messages';

export const GERMAN_MESSAGES: ReplyMessages = {
  quoted: '„{text}“',
  accordingTo: 'Laut „{title}“:',
  mayAnswer: 'Diese Stelle aus „{title}“ beantwortet vielleicht die Frage:',
  alsoIn: '„{title}“ ergänzt:',
  overview: 'Kurz gefasst, aus den Dokumenten:',
  closest: 'Am nächsten kommt diese Stelle:',
  contradiction: 'Die Dokumente unterscheiden sich:',
  notFound: 'Dazu konnte ich in den Dokumenten, die ich sehen kann, keine Antwort finden.',
  nothingAbout: 'Zu {subject} habe ich in den Dokumenten, die ich sehen kann, nichts gefunden.',
  missing: 'Die gefundenen Stellen erwähnen {value} nicht.',
  missingSeveral: 'Die gefundenen Stellen erwähnen {values} nicht.',
  mainPoints: 'Was sind die Kernpunkte von „{title}“?',
  rephrase: 'Versuchen Sie es mit anderen Wörtern, oder fragen Sie nach etwas, das in den Dokumenten vorkommt.',
  rephraseLike:
    'Versuchen Sie es mit anderen Wörtern, oder fragen Sie nach etwas, das in den Dokumenten vorkommt, zum Beispiel {titles}.',
  noDocuments:
    'Es gibt noch keine Dokumente, die ich für Sie durchsuchen kann. Laden Sie Dokumente hoch oder verbinden Sie eine Quelle, und fragen Sie dann noch einmal.',
  notYet: 'Ich kann noch nicht antworten.',
  indexing: {
    one: '{count} Dokument wird noch indexiert.',
    other: '{count} Dokumente werden noch indexiert.',
  },
  askAgainLater: 'Bitte fragen Sie in ein paar Minuten noch einmal.',
  withheld:
    'Diese Antwort wird nicht mehr angezeigt: Sie beruht auf Dokumenten, die gelöscht wurden oder die Sie nicht mehr lesen dürfen. Fragen Sie noch einmal, um eine neue Antwort zu erhalten.',
  greeting: 'Hallo! Stellen Sie eine Frage zu Ihren Dokumenten, und ich zitiere, was darin steht.',
  thanks: 'Gern geschehen. Fragen Sie gern weiter.',
  farewell: 'Auf Wiedersehen!',
  aboutMe:
    'Ich bin Lectern mit dem eingebauten extraktiven Modell: Ich durchsuche Ihre Dokumente und zitiere die Sätze, die Ihre Frage beantworten, mit ihren Quellen. Eigene Texte schreibe ich nicht.',
  acknowledged: 'In Ordnung. Was möchten Sie in Ihren Dokumenten nachschlagen?',
};
