import type { ReplyLanguage } from '#language/guess-language';

/** The few words that the built-in model says itself. Titles and quotes are put in by the caller. */
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
    nothingAbout: (subject) => `Nothing in the documents I can see speaks of ${subject}.`,
    greeting: 'Hello! Ask me something about your documents, and I will quote what they say.',
    thanks: 'You are welcome. Ask away if there is more to look up.',
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
    nothingAbout: (subject) => `Von ${subject} ist in den Dokumenten, die ich sehen kann, nicht die Rede.`,
    greeting: 'Hallo! Stellen Sie eine Frage zu Ihren Dokumenten, und ich zitiere, was darin steht.',
    thanks: 'Gern geschehen. Fragen Sie gern weiter.',
    farewell: 'Auf Wiedersehen!',
    aboutMe:
      'Ich bin Lectern mit dem eingebauten extraktiven Modell: Ich durchsuche Ihre Dokumente und zitiere die Sätze, die Ihre Frage beantworten, mit ihren Quellen. Eigene Texte schreibe ich nicht.',
    acknowledged: 'In Ordnung. Was möchten Sie in Ihren Dokumenten nachschlagen?',
  },
};
