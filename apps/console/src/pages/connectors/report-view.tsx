import type { ConnectionReport, ConnectorTypeName } from '#api/types.ts';
import { StepText } from '#pages/connectors/step-text.tsx';
import { stepsToRepeat } from '#pages/connectors/steps-to-repeat.ts';
import { t } from '#texts/texts.ts';
import { Icon } from '#ui/icon.tsx';

/** States which part failed. Null if the message of the error is all that is known. */
function partText(code: string): string | null {
  switch (code) {
    case 'auth':
      return t('connectors.report.parts.credentials');
    case 'forbidden':
      return t('connectors.report.parts.access');
    case 'invalid':
    case 'gone':
      return t('connectors.report.parts.settings');
    case 'rate':
    case 'transient':
    case 'timeout':
      return t('connectors.report.parts.network');
    default:
      return null;
  }
}

/** The result of a connection test: the checks, what failed, and the steps of the guide that fix it. */
export function ReportView({ report, type }: { readonly report: ConnectionReport; readonly type: ConnectorTypeName }) {
  const { success, error, checks, latencyMs } = report;
  const failed = checks.find(({ ok }) => !ok);
  const part = error === undefined ? null : partText(error.code);
  const repeated = stepsToRepeat(type, report);
  return (
    <div className={`notice ${success ? 'notice-good' : 'notice-error'}`} role="status">
      <p>
        <strong>{t(success ? 'connectors.report.works' : 'connectors.report.failed')}</strong> {part}{' '}
        {error === undefined || error.message === failed?.message ? null : error.message}{' '}
        {t('connectors.report.duration', { ms: latencyMs })}
      </p>
      <ul className="plain-list">
        {checks.map(({ name, ok, message }) => (
          <li key={name} className="row">
            <Icon name={ok ? 'check' : 'cross'} />
            <span>
              {name.replaceAll('_', ' ')}: {message || t(ok ? 'ui.statuses.passed' : 'ui.statuses.failed')}
            </span>
          </li>
        ))}
      </ul>
      {repeated.length > 0 ? (
        <>
          <p>{t('connectors.report.repeat', { count: repeated.length })}</p>
          <ol className="guide-steps">
            {repeated.map(({ name, number, text }) => (
              <li key={name} value={number}>
                <StepText text={text} />
              </li>
            ))}
          </ol>
        </>
      ) : null}
      {success ? null : <p className="small">{t('connectors.report.next')}</p>}
    </div>
  );
}
