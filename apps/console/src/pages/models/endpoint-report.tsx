import type { ModelEndpointReport } from '#api/types.ts';
import { t } from '#texts/texts.ts';

/** The result of a test: what works, otherwise what failed, why and what to do. */
export function EndpointReport({ report }: { readonly report: ModelEndpointReport }) {
  const { success, latencyMs, models, model, error, listError } = report;
  return (
    <div className={`notice ${success ? 'notice-good' : 'notice-error'}`} role="status">
      {success ? (
        <p>{t('models.endpoints.works', { model: model ?? '', ms: latencyMs })}</p>
      ) : (
        <p>{t('models.endpoints.failed', { reason: error?.message ?? '' })}</p>
      )}
      {models.length > 0 ? <p>{t('models.endpoints.listed', { count: models.length })}</p> : null}
      {listError === null || listError.message === error?.message ? null : (
        <p>{t('models.endpoints.notListed', { reason: listError.message })}</p>
      )}
    </div>
  );
}
