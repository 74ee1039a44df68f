import { ui } from '#texts/en/ui.ts';
import { t } from '#texts/texts.ts';

const isNamed = (status: string): status is keyof typeof ui.statuses => Object.hasOwn(ui.statuses, status);

const TONES: Readonly<Record<string, 'good' | 'busy' | 'bad' | 'warn'>> = {
  indexed: 'good',
  active: 'good',
  completed: 'good',
  success: 'good',
  high: 'good',
  pending: 'busy',
  processing: 'busy',
  syncing: 'busy',
  queued: 'busy',
  running: 'busy',
  pending_auth: 'warn',
  paused: 'warn',
  completed_with_errors: 'warn',
  limited: 'warn',
  starting: 'busy',
  delivered: 'good',
  failing: 'warn',
  disabled: 'bad',
  medium: 'warn',
  failed: 'bad',
  error: 'bad',
  low: 'bad',
};

/** Returns the name of a status, or its code if it has none. */
const statusText = (status: string): string =>
  isNamed(status) ? t(`ui.statuses.${status}`) : status.replaceAll('_', ' ');

/** A status with its color. */
export function StatusBadge({ status, label }: { readonly status: string; readonly label?: string }) {
  return <span className={`badge badge-${TONES[status] ?? 'plain'}`}>{label ?? statusText(status)}</span>;
}
