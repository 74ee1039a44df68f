import type { jobs as English } from '#texts/en/jobs.ts';
import type { Translated } from '#texts/translated.ts';

export const jobs: Translated<typeof English> = {
  progress: 'Fortschritt des Auftrags',
  syncProgress: 'Fortschritt der Synchronisierung',
  percent: '{{percent}} %',
  queued: 'In der Warteschlange: {{reason}}',
  kinds: { sync: 'Synchronisierung', permissions: 'Berechtigungen' },
  modes: { auto: 'nur Änderungen', full: 'alles', incremental: 'ausgewählte Dateien' },
  counts: {
    total: 'gesamt',
    collected: 'abgerufen',
    parsed: 'verarbeitet',
    indexed: 'indexiert',
    skipped: 'übersprungen',
    deleted: 'gelöscht',
    failed: 'fehlgeschlagen',
  },
};
