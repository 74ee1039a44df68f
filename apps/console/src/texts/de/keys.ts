import type { keys as English } from '#texts/en/keys.ts';
import type { Translated } from '#texts/translated.ts';

export const keys: Translated<typeof English> = {
  title: 'Schlüssel',
  intro:
    'Ein Schlüsselpaar besteht aus einem veröffentlichbaren Schlüssel für Webseiten und einem geheimen Schlüssel für Server.',
  cannotManage: 'keine Schlüssel verwalten',
  what: 'die Schlüssel',
  none: 'Noch keine Schlüssel',
  noneHint: 'Legen Sie für jede Anwendung, die die API benutzt, ein Schlüsselpaar an.',
  new: 'Neues Schlüsselpaar',
  edit: 'Bearbeiten',
  editTitle: 'Schlüsselpaar bearbeiten',
  rotate: 'Erneuern',
  rotateTitle: 'Schlüssel erneuern',
  rotateEffect: '„{{name}}“ erhält neue Schlüssel. Name, Zugriff und Grenzen bleiben gleich.',
  overlap: 'Die alten Schlüssel gelten nicht mehr',
  overlaps: { none: 'Ab sofort', hour: 'In 1 Stunde', day: 'In 1 Tag', week: 'In 1 Woche' },
  revoke: 'Widerrufen',
  revokeQuestion: '„{{name}}“ widerrufen?',
  revoked: '„{{name}}“ ist widerrufen.',
  revokeEffect:
    'Beide Schlüssel funktionieren innerhalb von Sekunden nicht mehr. Das lässt sich nicht rückgängig machen.',
  revokeOwnEffect:
    'Beide Schlüssel funktionieren innerhalb von Sekunden nicht mehr. Das lässt sich nicht rückgängig machen. Sie sind mit diesem Schlüsselpaar angemeldet und werden abgemeldet.',
  created: 'Ihre neuen Schlüssel',
  createdHint: 'Kopieren Sie die Schlüssel jetzt. Sie werden nicht wieder angezeigt.',
  secretKey: 'Geheimer Schlüssel',
  publishableKey: 'Veröffentlichbarer Schlüssel',
  readsEverything:
    'Der veröffentlichbare Schlüssel kann alle Dokumente seiner Sammlungen lesen, auch nicht öffentliche. Bearbeiten Sie das Schlüsselpaar, um ihn auf öffentliche Dokumente zu beschränken.',
  times: 'benutzt: <used/> · angelegt: <created/>',
  summary: {
    allCollections: 'alle Sammlungen',
    collections_one: '{{count, number}} Sammlung',
    collections_other: '{{count, number}} Sammlungen',
    rights: 'Rechte: {{rights}}',
    addresses: 'Adressen: {{addresses}}',
    perMinute_one: '{{count, number}} Anfrage pro Minute',
    perMinute_other: '{{count, number}} Anfragen pro Minute',
    hosts: 'Hosts: {{hosts}}',
    signedOnly: 'nur signierte Anfragen',
    expires: 'läuft am {{day}} ab',
  },
  create: 'Schlüsselpaar anlegen',
  save: 'Speichern',
  fields: {
    allCollections: 'Darf auf alle Sammlungen zugreifen',
    collections: 'Zugängliche Sammlungen',
    publicOnly:
      'Den veröffentlichbaren Schlüssel auf öffentliche Dokumente beschränken (lässt sich nicht rückgängig machen)',
    hosts: 'Erlaubte Hosts für den veröffentlichbaren Schlüssel',
    hostsHint: 'Einer pro Zeile, zum Beispiel docs.example.com oder *.example.com. Leer: alle Hosts.',
    pages: 'Erlaubte Seiten (URLs)',
    pagesHint: 'Eine pro Zeile. https://example.com/help erlaubt auch alle Seiten darunter. Leer: alle Seiten.',
    addresses: 'Erlaubte IP-Adressen',
    addressesHint:
      'Eine Adresse oder ein CIDR-Bereich pro Zeile, zum Beispiel 203.0.113.7 oder 10.0.0.0/8. Sie gelten für beide Schlüssel. Leer: alle Adressen.',
    expires: 'Läuft ab',
    expiresHint: 'Leer: läuft nicht ab.',
    perMinute: 'Anfragen pro Minute',
    perMinuteHint: 'Leer: der Standardwert.',
    mustSign: 'Für den geheimen Schlüssel signierte Anfragen verlangen',
    rights: 'Was der geheime Schlüssel darf',
    noRights: 'Wählen Sie mindestens ein Recht.',
    keysNeedAll: '„Schlüssel und Personen“ erfordert auch Zugriff auf alle Sammlungen.',
  },
  rights: {
    search: {
      name: 'Suche',
      short: 'Suche',
      allows: 'Dokumente durchsuchen und Tokens für die Benutzer Ihrer Webseiten anlegen',
    },
    chat: { name: 'Chat', short: 'Chat', allows: 'Fragen stellen und Gespräche lesen' },
    readDocuments: {
      name: 'Dokumente lesen',
      short: 'Dokumente lesen',
      allows: 'Sammlungen auflisten und Dokumente lesen',
    },
    changeDocuments: {
      name: 'Dokumente ändern',
      short: 'Dokumente ändern',
      allows: 'Dokumente hinzufügen und löschen, Sammlungen und Synonyme ändern',
    },
    connectors: {
      name: 'Konnektoren',
      short: 'Konnektoren',
      allows: 'Konnektoren, Synchronisierungen und hochgeladene Dateien verwalten',
    },
    agents: { name: 'Agenten', short: 'Agenten', allows: 'Agenten, die suchen und chatten, verwalten und ausführen' },
    analytics: { name: 'Auswertung', short: 'Auswertung', allows: 'Ereignisse aufzeichnen und die Nutzung lesen' },
    keys: {
      name: 'Schlüssel und Personen',
      short: 'Schlüssel und Personen',
      allows: 'Schlüssel und Personen verwalten und das Audit-Log lesen',
    },
  },
};
