import { detectLanguage } from '@lectern/text';

/** Why the app does not answer somebody. */
export type Refusal =
  | 'outsider'
  | 'guest'
  | 'noEmail'
  | 'unverified'
  | 'unknown'
  | 'noAccess'
  | 'empty'
  | 'budget'
  | 'busy'
  | 'changed'
  | 'failed';

/** The sentences of the app in one language. They contain no markup. */
export interface Texts {
  readonly thinking: string;
  readonly refusals: Readonly<Record<Refusal, string>>;
  readonly sources: string;
  readonly confidence: Readonly<Record<'high' | 'medium' | 'low', string>>;
  readonly publicOnly: string;
  readonly askPrivately: string;
  readonly sentDirectly: string;
  readonly direct: string;
  readonly open: string;
  readonly up: string;
  readonly down: string;
  readonly thanks: string;
  readonly onlyAsker: string;
  readonly timedOut: string;
  readonly dialog: {
    readonly title: string;
    readonly send: string;
    readonly cancel: string;
    readonly reason: string;
    readonly comment: string;
    readonly reasons: Readonly<Record<string, string>>;
  };
}

const ENGLISH: Texts = {
  thinking: 'Searching the documents …',
  refusals: {
    outsider: 'I only answer members of this workspace.',
    guest: 'I cannot answer guests of this workspace.',
    noEmail: 'I cannot see your email address, so I do not know who you are in Lectern. Ask an admin of Lectern.',
    unverified: 'Your email address in Slack is not confirmed. Confirm it in your Slack profile, then ask again.',
    unknown:
      'There is no active Lectern account with your email address in Slack. Ask an admin of Lectern to invite you.',
    noAccess: 'Your access to Lectern changed while I was answering. Ask again.',
    empty: 'Ask me a question about your documents, in the same message as the mention.',
    budget: 'Your budget for this month is used up. An admin of Lectern can raise it.',
    busy: 'Too many questions in a short time. Ask again in a minute.',
    changed: 'This app is set up for collections or an agent that no longer exist. Ask an admin of Lectern.',
    failed: 'I could not answer because of a problem in Lectern. Ask again in a few minutes.',
  },
  sources: 'Sources',
  confidence: {
    high: 'Supported by the sources',
    medium: 'Partly supported: check the sources first',
    low: 'Possible answer: the sources may not answer',
  },
  publicOnly: 'Only from documents that everybody may read, because others read this channel.',
  askPrivately: 'Ask privately',
  sentDirectly: 'Others read this channel, so I answer you in a direct message.',
  direct: 'Your question in a channel:',
  open: 'Open in Lectern',
  up: 'Helpful',
  down: 'Not helpful',
  thanks: 'Thank you for the feedback.',
  onlyAsker: 'Only the person who asked can rate this reply.',
  timedOut: 'The reply took too long. This is what was written until then, without checks.',
  dialog: {
    title: 'What is wrong?',
    send: 'Send',
    cancel: 'Cancel',
    reason: 'Reason',
    comment: 'Comment',
    reasons: {
      wrong: 'It is false',
      incomplete: 'Something is missing',
      outdated: 'It is outdated',
      not_found: 'The documents have an answer',
      wrong_source: 'The sources do not support it',
      unclear: 'It is hard to understand',
      other: 'Something else',
    },
  },
};

const GERMAN: Texts = {
  thinking: 'Ich durchsuche die Dokumente …',
  refusals: {
    outsider: 'Ich antworte nur Mitgliedern dieses Workspace.',
    guest: 'Gästen dieses Workspace kann ich nicht antworten.',
    noEmail:
      'Ich sehe deine Mailadresse nicht und weiß deshalb nicht, wer du in Lectern bist. Frag die Administration von Lectern.',
    unverified:
      'Deine Mailadresse in Slack ist nicht bestätigt. Bestätige sie in deinem Slack-Profil und frag dann noch einmal.',
    unknown:
      'Zu deiner Mailadresse in Slack gibt es kein aktives Konto in Lectern. Bitte die Administration von Lectern um eine Einladung.',
    noAccess: 'Dein Zugriff auf Lectern hat sich geändert, während ich geantwortet habe. Frag noch einmal.',
    empty: 'Stell mir eine Frage zu euren Dokumenten, in derselben Nachricht wie die Erwähnung.',
    budget: 'Dein Budget für diesen Monat ist aufgebraucht. Die Administration von Lectern kann es erhöhen.',
    busy: 'Das waren zu viele Fragen in kurzer Zeit. Frag in einer Minute noch einmal.',
    changed:
      'Diese App ist für Sammlungen oder einen Agenten eingerichtet, die es nicht mehr gibt. Frag die Administration von Lectern.',
    failed: 'Wegen eines Problems in Lectern konnte ich nicht antworten. Frag in ein paar Minuten noch einmal.',
  },
  sources: 'Quellen',
  confidence: {
    high: 'Durch die Quellen belegt',
    medium: 'Teilweise belegt: sieh dir zuerst die Quellen an',
    low: 'Mögliche Antwort: die Quellen beantworten die Frage vielleicht nicht',
  },
  publicOnly: 'Nur aus Dokumenten, die alle lesen dürfen, weil andere diesen Kanal lesen.',
  askPrivately: 'Privat fragen',
  sentDirectly: 'Andere lesen diesen Kanal, deshalb antworte ich dir in einer Direktnachricht.',
  direct: 'Deine Frage in einem Kanal:',
  open: 'In Lectern öffnen',
  up: 'Hilfreich',
  down: 'Nicht hilfreich',
  thanks: 'Danke für die Rückmeldung.',
  onlyAsker: 'Nur wer gefragt hat, kann diese Antwort bewerten.',
  timedOut: 'Die Antwort hat zu lange gedauert. Das ist der Text bis dahin, ungeprüft.',
  dialog: {
    title: 'Was ist falsch?',
    send: 'Senden',
    cancel: 'Abbrechen',
    reason: 'Grund',
    comment: 'Kommentar',
    reasons: {
      wrong: 'Sie ist falsch',
      incomplete: 'Es fehlt etwas',
      outdated: 'Sie ist veraltet',
      not_found: 'Die Dokumente enthalten eine Antwort',
      wrong_source: 'Die Quellen belegen sie nicht',
      unclear: 'Sie ist schwer verständlich',
      other: 'Etwas anderes',
    },
  },
};

/** The languages of the app's own sentences. */
export type TextLanguage = 'de' | 'en';

/** The language of a question: German, otherwise English. */
export const languageOf = (question: string): TextLanguage => (detectLanguage(question) === 'de' ? 'de' : 'en');

export const textsIn = (language: string): Texts => (language === 'de' ? GERMAN : ENGLISH);
