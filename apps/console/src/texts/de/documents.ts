import type { documents as English } from '#texts/en/documents.ts';
import type { Translated } from '#texts/translated.ts';

export const documents: Translated<typeof English> = {
  title: 'Titel',
  text: 'Text',
  textHint: 'Sie können Markdown verwenden.',
  url: 'URL',
  urlHint: 'Der Link zum Originaldokument (optional).',
  create: 'Anlegen',
  created: 'Das Dokument ist angelegt. In wenigen Sekunden lässt es sich durchsuchen.',
  what: {
    page: 'die Seite {{number, number}}',
    document: 'das Dokument',
    text: 'den Text',
    documents: 'die Dokumente',
  },
  openOriginal: 'Original öffnen',
  downloadText: 'Text herunterladen',
  cutAroundPassage:
    'Dieses Dokument ist lang. Nur der Text um die Textstelle wird gezeigt. Laden Sie den Text herunter, um alles zu lesen.',
  cutAfterStart:
    'Dieses Dokument ist lang. Nur sein Anfang wird gezeigt. Laden Sie den Text herunter, um alles zu lesen.',
  passageGone: 'Das Dokument wurde geändert und enthält diese Textstelle nicht mehr.',
  noText: 'Dieses Dokument hat keinen Text.',
  status: 'Status',
  allStatuses: 'Alle Status',
  type: 'Typ',
  size: 'Größe',
  updated: 'Aktualisiert',
  caption: 'Dokumente',
  none: 'Noch keine Dokumente',
  noneHint: 'Laden Sie Dateien hoch, fügen Sie ein Dokument hinzu oder synchronisieren Sie einen Konnektor.',
  noneWithStatus: {
    pending: 'Keine ausstehenden Dokumente',
    processing: 'Keine Dokumente in Arbeit',
    indexed: 'Keine indexierten Dokumente',
    failed: 'Keine fehlgeschlagenen Dokumente',
  },
  delete: 'Löschen',
  deleteQuestion: '„{{title}}“ löschen?',
  deleted: '„{{title}}“ ist gelöscht.',
  deleteEffect:
    'Suche und Chat verwenden es sofort nicht mehr. Die nächste Synchronisierung kann es wieder hinzufügen, wenn es in der Quelle noch vorhanden ist.',
  ocr: {
    confidence: 'Text in Bildern erkannt, mit einer Sicherheit von {{confidence, number}} %.',
    low_one: 'Rechnen Sie mit falschen Wörtern auf Seite {{pages}}.',
    low_other: 'Rechnen Sie mit falschen Wörtern auf den Seiten {{pages}}.',
    unread_one: 'Die Bilder auf Seite {{pages}} wurden nicht gelesen.',
    unread_other: 'Die Bilder auf den Seiten {{pages}} wurden nicht gelesen.',
    andOthers: '{{pages}} und weiteren',
  },
  readers: {
    title: 'Wer das lesen darf',
    more: 'Und {{number, number}} weitere.',
    none: 'Niemand, nur Schlüssel des Teams.',
    fromForm: 'Festgelegt, als das Dokument hinzugefügt wurde.',
    fromSource:
      'Wie von der Quelle oder den Einstellungen ihres Konnektors bei der letzten Synchronisierung festgelegt.',
    public: 'Alle mit Zugriff auf die Sammlung',
    domain: 'Alle mit einer Adresse bei {{domain}}',
    group: 'Gruppe {{name}}',
  },
  showPage: 'Seite {{number, number}} zeigen',
  hidePage: 'Seite {{number, number}} ausblenden',
  pageImage: 'Bild der Seite {{number, number}} mit den hervorgehobenen zitierten Wörtern',
};
