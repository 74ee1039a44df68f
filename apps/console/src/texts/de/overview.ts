import type { overview as English } from '#texts/en/overview.ts';
import type { Translated } from '#texts/translated.ts';

export const overview: Translated<typeof English> = {
  title: 'Übersicht',
  welcome: 'Willkommen, {{name}}.',
  what: 'die Übersicht',
  cannotRead: 'die Übersicht nicht lesen',
  summary: 'Zusammenfassung',
  documents: 'Dokumente',
  inCollections_one: 'in {{count, number}} Sammlung',
  inCollections_other: 'in {{count, number}} Sammlungen',
  inCollectionsWithFailed_one: 'in {{count, number}} Sammlung, {{failed}} fehlgeschlagen',
  inCollectionsWithFailed_other: 'in {{count, number}} Sammlungen, {{failed}} fehlgeschlagen',
  connectors: 'Konnektoren',
  syncing: '{{connectors}} in Synchronisierung',
  questions: 'Offene Fragen',
  last30Days: 'in den letzten 30 Tagen',
  cost: 'Kosten in diesem Monat',
  forAnswers_one: 'für {{count, number}} Antwort',
  forAnswers_other: 'für {{count, number}} Antworten',
  syncingNow: 'Laufende Synchronisierungen',
  attention: 'Handlungsbedarf',
  onlyNewest: 'Nur die neuesten 100 Sammlungen und Konnektoren werden geprüft.',
  nothingWrong: 'Keine fehlgeschlagenen Dokumente und keine angehaltenen Quellen.',
  reasons: {
    error: 'Die letzte Synchronisierung ist fehlgeschlagen. Öffnen Sie den Konnektor, um den Grund zu sehen.',
    pendingAuth: 'Wartet auf die Autorisierung. Öffnen Sie den Konnektor, um ihn zu autorisieren.',
    paused: 'Der Konnektor ist angehalten.',
  },
  notIndexed_one: '{{count, number}} Dokument konnte nicht indexiert werden.',
  notIndexed_other: '{{count, number}} Dokumente konnten nicht indexiert werden.',
  setUp: {
    title: 'Lectern einrichten',
    done: '(erledigt)',
    collection: 'Sammlung anlegen und Dokumente hochladen',
    collectionHelp:
      'Eine Sammlung fasst Dokumente zusammen, die gemeinsam durchsucht werden. Oder verbinden Sie unter „Konnektoren“ eine Quelle.',
    ask: 'Eine Frage stellen',
    askHelp: 'Antworten nennen die Textstellen, aus denen sie stammen.',
    invite: 'Team einladen',
    inviteHelp: 'Erstellen Sie für jede Person einen Link, und senden Sie ihn ihr.',
  },
};
