import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { languageModelsQuery, modelEndpointsQuery, modelPricesQuery, modelSettingsQuery } from '#api/model-queries.ts';
import type { LanguageModel } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { EndpointForm } from '#pages/models/endpoint-form.tsx';
import { EndpointItem } from '#pages/models/endpoint-item.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { joinQueries } from '#ui/join-queries.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The team's connections to providers of language models, and its default model. */
export function ModelEndpoints() {
  const [isAdding, setIsAdding] = useState(false);
  const endpoints = useQuery(modelEndpointsQuery);
  const prices = useQuery(modelPricesQuery);
  const settings = useQuery(modelSettingsQuery);
  const models = useQuery(languageModelsQuery);
  return (
    <QueryView query={joinQueries({ endpoints, prices, settings, models })} what={t('models.endpoints.what')}>
      {(data) => (
        <>
          <DefaultModelForm key={data.settings.defaultModel} chosen={data.settings.defaultModel} models={data.models} />
          <div className="row">
            <h2 id="model-endpoints">{t('models.endpoints.title')}</h2>
            <Button isPrimary onClick={() => setIsAdding(true)}>
              {t('models.endpoints.addEndpoint')}
            </Button>
          </div>
          {data.endpoints.length === 0 ? (
            <p className="muted">{t('models.endpoints.none')}</p>
          ) : (
            <ul className="plain-list" aria-labelledby="model-endpoints">
              {data.endpoints.map((endpoint) => (
                <EndpointItem key={endpoint.id} endpoint={endpoint} prices={data.prices} />
              ))}
            </ul>
          )}
          <Sheet
            title={t('models.endpoints.addTitle')}
            description={t('models.endpoints.addDescription')}
            isOpen={isAdding}
            onOpenChange={setIsAdding}
          >
            <EndpointForm prices={data.prices} onDone={() => setIsAdding(false)} />
          </Sheet>
        </>
      )}
    </QueryView>
  );
}

function DefaultModelForm({
  chosen,
  models,
}: {
  readonly chosen: string | null;
  readonly models: readonly LanguageModel[];
}) {
  const [value, setValue] = useState(chosen ?? '');
  const save = useChange(
    () => lectern().modelEndpoints.updateSettings({ defaultModel: value === '' ? null : value }),
    ['models', 'model-settings'],
  );
  const isMissing = chosen !== null && !models.some(({ id }) => id === chosen);
  return (
    <Form
      mutation={save}
      label={t('models.endpoints.saveDefault')}
      done={t('models.endpoints.defaultSaved')}
      isIncomplete={value === (chosen ?? '')}
      isCard
    >
      <SelectField
        label={t('models.endpoints.default')}
        value={value}
        options={[
          { value: '', label: t('models.endpoints.installationDefault') },
          ...(isMissing ? [{ value: chosen, label: t('models.endpoints.missing', { id: chosen }) }] : []),
          ...models.map(({ id, endpoint }) => ({
            value: id,
            label: endpoint === null ? id : t('models.endpoints.modelOf', { id, name: endpoint.name }),
          })),
        ]}
        hint={t('models.endpoints.defaultHint')}
        onChange={setValue}
      />
    </Form>
  );
}
