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

/** A status with its color. */
export function StatusBadge({ status, label }: { readonly status: string; readonly label?: string }) {
  return <span className={`badge badge-${TONES[status] ?? 'plain'}`}>{label ?? status.replaceAll('_', ' ')}</span>;
}
