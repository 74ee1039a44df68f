import type { jobs as English } from '#texts/en/jobs.ts';
import type { Translated } from '#texts/translated.ts';

export const jobs: Translated<typeof English> = {
  progress: 'Fortschritt des Auftrags',
  syncProgress: 'Fortschritt der Synchronisierung',
  percent: '{{percent}} %',
  queued: 'In der Warteschlange: {{reason}}',
  perMinute_one: '{{count, number}} Element pro Minute',
  perMinute_other: '{{count, number}} Elemente pro Minute',
  minutesLeft_one: 'noch etwa {{count, number}} Minute',
  minutesLeft_other: 'noch etwa {{count, number}} Minuten',
  files_one: '{{count, number}} Datei',
  files_other: '{{count, number}} Dateien',
  showFiles: 'Dateien anzeigen',
  kinds: { sync: 'Synchronisierung', permissions: 'Berechtigungen' },
  modes: { auto: 'nur Änderungen', full: 'alles', incremental: 'ausgewählte Dateien' },
  counts: {
    total: 'gefunden',
    collected: 'abgerufen',
    parsed: 'gelesen',
    indexed: 'indexiert',
    skipped: 'übersprungen',
    deleted: 'gelöscht',
    failed: 'fehlgeschlagen',
  },
};
