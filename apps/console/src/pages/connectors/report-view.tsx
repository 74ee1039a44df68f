import type { ConnectionReport } from '#api/types.ts';
import { Icon } from '#ui/icon.tsx';

/** The result of a connection test. */
export function ReportView({ report }: { readonly report: ConnectionReport }) {
  return (
    <div className={`notice ${report.success ? 'notice-good' : 'notice-error'}`} role="status">
      <p>
        <strong>{report.success ? 'The connection works.' : 'The connection failed.'}</strong> {report.error?.message} (
        {report.latencyMs} ms)
      </p>
      <ul className="plain-list">
        {report.checks.map(({ name, ok, message }) => (
          <li key={name} className="row">
            <Icon name={ok ? 'check' : 'cross'} />
            <span>
              {name.replaceAll('_', ' ')}: {message || (ok ? 'passed' : 'failed')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
