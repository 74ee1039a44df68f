/** Languages of the built-in model's own phrases. Quotes stay in the language of their document. */
export type ReplyLanguage = 'en' | 'de';

/** The built-in model's own phrases; callers insert titles and quotes. */
export interface Phrases {
  readonly notFound: string;
  readonly closest: string;
  readonly accordingTo: (title: string) => string;
  readonly alsoIn: (title: string) => string;
  readonly overview: string;
  readonly nothingAbout: (subject: string) => string;
  readonly greeting: string;
  readonly thanks: string;
  readonly farewell: string;
  readonly aboutMe: string;
  readonly acknowledged: string;
}

export const PHRASES: Readonly<Record<ReplyLanguage, Phrases>> = {
  en: {
    notFound: 'I could not find an answer to that in the documents I can see.',
    closest: 'The closest passage I found:',
    accordingTo: (title) => `According to "${title}":`,
    alsoIn: (title) => `"${title}" adds:`,
    overview: 'In short, from the documents:',
    nothingAbout: (subject) => `I found nothing about ${subject} in the documents I can see.`,
    greeting: 'Hello! Ask me a question about your documents, and I will quote the passages that answer it.',
    thanks: 'You are welcome. Ask me if you need anything else.',
    farewell: 'Goodbye!',
    aboutMe:
      'I am Lectern with its built-in extractive model: I search your documents and quote the sentences that answer your question, with their sources. I do not write text of my own.',
    acknowledged: 'All right. What would you like to look up in your documents?',
  },
  de: {
    notFound: 'Dazu konnte ich in den Dokumenten, die ich sehen kann, keine Antwort finden.',
    closest: 'Am nächsten kommt diese Stelle:',
    accordingTo: (title) => `Laut „${title}“:`,
    alsoIn: (title) => `„${title}“ ergänzt:`,
    overview: 'Kurz gefasst, aus den Dokumenten:',
    nothingAbout: (subject) => `Zu ${subject} habe ich in den Dokumenten, die ich sehen kann, nichts gefunden.`,
    greeting: 'Hallo! Stellen Sie eine Frage zu Ihren Dokumenten, und ich zitiere, was darin steht.',
    thanks: 'Gern geschehen. Fragen Sie gern weiter.',
    farewell: 'Auf Wiedersehen!',
    aboutMe:
      'Ich bin Lectern mit dem eingebauten extraktiven Modell: Ich durchsuche Ihre Dokumente und zitiere die Sätze, die Ihre Frage beantworten, mit ihren Quellen. Eigene Texte schreibe ich nicht.',
    acknowledged: 'In Ordnung. Was möchten Sie in Ihren Dokumenten nachschlagen?',
  },
};
