import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { ModelEndpoint, ModelPrice } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { EndpointForm } from '#pages/models/endpoint-form.tsx';
import { endpointHost } from '#pages/models/endpoint-host.ts';
import { EndpointReport } from '#pages/models/endpoint-report.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** A model endpoint with its actions. */
export function EndpointItem({
  endpoint,
  prices,
}: {
  readonly endpoint: ModelEndpoint;
  readonly prices: readonly ModelPrice[];
}) {
  const { id, name, provider, url, hasKey, models } = endpoint;
  const [isEditing, setIsEditing] = useState(false);
  const test = useChange(() => {
    const [first] = models;
    return lectern().modelEndpoints.test({ id, ...(first === undefined ? {} : { model: first.id }) });
  }, []);
  const remove = useChange(() => lectern().modelEndpoints.delete(id), ['models', 'model-endpoints']);
  return (
    <li className="card stack" aria-label={name}>
      <div>
        <h3>{name}</h3>
        <p className="muted small">
          {t(`models.endpoints.protocols.${provider}`)} · <code>{url ?? endpointHost(endpoint)}</code> ·{' '}
          {t(hasKey ? 'models.endpoints.hasKey' : 'models.endpoints.noKey')}
        </p>
        <p className="muted small">
          {t('models.endpoints.offers', { count: models.length, names: models.map((one) => one.id).join(', ') })}
        </p>
      </div>
      {test.data === undefined ? null : <EndpointReport report={test.data} />}
      {test.error ? <ErrorNotice error={test.error} /> : null}
      <div className="row row-end">
        <Button
          isBusy={test.isPending}
          aria-label={t('models.endpoints.testNamed', { name })}
          onClick={() => test.mutate()}
        >
          {t('models.endpoints.test')}
        </Button>
        <Button aria-label={t('models.endpoints.editNamed', { name })} onClick={() => setIsEditing(true)}>
          {t('models.endpoints.edit')}
        </Button>
        <Confirm
          label={t('models.endpoints.delete')}
          question={t('models.endpoints.deleteQuestion', { name })}
          done={t('models.endpoints.deleted', { name })}
          mutation={remove}
        >
          <p>{t('models.endpoints.deleteHint')}</p>
        </Confirm>
      </div>
      <Sheet title={t('models.endpoints.editTitle', { name })} isOpen={isEditing} onOpenChange={setIsEditing}>
        <EndpointForm endpoint={endpoint} prices={prices} onDone={() => setIsEditing(false)} />
      </Sheet>
    </li>
  );
}
