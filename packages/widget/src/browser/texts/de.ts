import type * as english from '#browser/texts/en';

const number = (value: number) => value.toLocaleString('de');

/** For example `in 7 Sekunden`. */
const inSeconds = (seconds: number) => new Intl.RelativeTimeFormat('de').format(seconds, 'second');

export const widget: typeof english.widget = {
  modes: { search: 'Suchen', ask: 'Fragen' },
  modesLabel: 'Suchen oder fragen',
  searchLabel: 'Suche',
  askLabel: 'Frage stellen',
  loading: 'Lädt …',
  notLoaded: 'Dieser Bereich konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und laden Sie die Seite neu.',
  noResults: 'Keine Ergebnisse.',
  results: (count) => (count === 1 ? '1 Ergebnis.' : `${number(count)} Ergebnisse.`),
  keyMissing: 'Die Suche ist nicht richtig eingerichtet: Der Schlüssel fehlt.',
  secretKey:
    'Die Suche ist nicht richtig eingerichtet: Ein geheimer Schlüssel darf nie auf einer Webseite verwendet werden. Widerrufen Sie ihn.',
  keyRejected: 'Die Suche ist nicht richtig eingerichtet: Der Schlüssel ist ungültig oder abgelaufen.',
  forbidden: 'Die Suche ist auf dieser Seite nicht erlaubt.',
  tooMany: (seconds) => `Zu viele Suchanfragen. Versuchen Sie es ${inSeconds(seconds)} erneut.`,
  unreachable: 'Die Suche ist von dieser Seite aus nicht erreichbar.',
  unavailable: 'Die Suche ist vorübergehend nicht verfügbar. Versuchen Sie es später erneut.',
};

export const ask: typeof english.ask = {
  conversation: 'Gespräch',
  ask: 'Fragen',
  stop: 'Stoppen',
  youAsked: 'Ihre Frage:',
  answer: 'Antwort',
  sources: 'Quellen',
  source: (source, title) => `Quelle ${source}: ${title}`,
  code: 'Code',
  answering: 'Die Antwort wird erstellt …',
  complete: 'Die Antwort ist fertig.',
  completeWithSources: (count) =>
    count === 1
      ? 'Die Antwort ist fertig und nennt 1 Quelle.'
      : `Die Antwort ist fertig und nennt ${number(count)} Quellen.`,
  stopped: 'Die Antwort wurde gestoppt.',
  lowConfidence: 'Die zitierten Textstellen beantworten Ihre Frage vielleicht nicht. Lesen Sie sie zuerst.',
  notAnswered: 'Die Dokumente, die Sie lesen dürfen, beantworten diese Frage nicht.',
  keyMissing: 'Die Fragefunktion ist nicht richtig eingerichtet: Der Schlüssel fehlt.',
  secretKey:
    'Die Fragefunktion ist nicht richtig eingerichtet: Ein geheimer Schlüssel darf nie auf einer Webseite verwendet werden. Widerrufen Sie ihn.',
  publishableKey:
    'Nur angemeldete Besucher können hier Fragen stellen. Wenn Sie angemeldet sind, bitten Sie den Betreiber dieser Website, ein Benutzer-Token mit dem Recht „chat“ einzurichten.',
  expired: 'Ihr Zugang ist abgelaufen. Wenn nichts geschieht, laden Sie die Seite neu und fragen Sie erneut.',
  forbidden:
    'Auf dieser Seite sind keine Fragen erlaubt. Bitten Sie den Betreiber dieser Website, die Hosts des Schlüssels und das Recht „chat“ des Benutzer-Tokens zu prüfen.',
  tooMany: 'Zu viele Fragen. Versuchen Sie es später erneut.',
  tooManyUntil: (seconds) => `Zu viele Fragen. Versuchen Sie es ${inSeconds(seconds)} erneut.`,
  conversationGone: 'Dieses Gespräch gibt es nicht mehr. Fragen Sie erneut, um ein neues zu beginnen.',
  invalid: 'Der Server hat die Frage nicht angenommen. Formulieren Sie sie anders.',
  serverTimeout: 'Der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es später erneut.',
  unreachable:
    'Der Server ist von dieser Seite aus nicht erreichbar. Prüfen Sie Ihre Verbindung und fragen Sie erneut.',
  answerTimeout: 'Die Antwort hat zu lange gedauert. Fragen Sie erneut.',
  unavailable: 'Antworten sind vorübergehend nicht verfügbar. Versuchen Sie es später erneut.',
};
