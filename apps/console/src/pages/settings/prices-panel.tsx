import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { languageModelsQuery, modelPricesQuery } from '#api/model-queries.ts';
import type { LanguageModel, ModelPrice } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Form } from '#ui/form.tsx';
import { joinQueries } from '#ui/join-queries.ts';
import { PriceFields, type TypedPrice } from '#ui/price-fields.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** The price of a model as it is typed. Empty fields mean that the model costs nothing. */
interface Row extends TypedPrice {
  readonly model: string;
}

/** Returns a row per model that costs something or can be used. */
function rowsOf(prices: readonly ModelPrice[], models: readonly string[]): readonly Row[] {
  const known = new Map(prices.map((price) => [price.model, price]));
  return [...new Set([...known.keys(), ...models])].map((model) => ({
    model,
    input: known.get(model)?.inputPerMillion.toString() ?? '',
    output: known.get(model)?.outputPerMillion.toString() ?? '',
  }));
}

/** Returns the models that can cost something. */
const pricedModels = (models: readonly LanguageModel[]): readonly string[] =>
  models.flatMap(({ id, provider }) => (provider === 'builtin' ? [] : [id]));

/** The prices of the models. */
export function PricesPanel() {
  // The form starts with the prices that are stored now, not with those of the cache.
  const prices = useQuery({ ...modelPricesQuery, refetchOnMount: 'always' });
  const current = prices.isFetchedAfterMount ? prices : { ...prices, data: undefined, isLoading: true };
  const models = useQuery({ ...languageModelsQuery, select: pricedModels });
  return (
    <QueryView query={joinQueries({ current, models })} what={t('settings.prices.what')}>
      {(data) => {
        const rows = rowsOf(data.current, data.models);
        return rows.length === 0 ? <p className="muted">{t('settings.prices.none')}</p> : <PricesForm rows={rows} />;
      }}
    </QueryView>
  );
}

function PricesForm({ rows }: { readonly rows: readonly Row[] }) {
  const [values, setValues] = useState(rows);
  const change = (model: string, changes: Partial<Row>) =>
    setValues(values.map((row) => (row.model === model ? { ...row, ...changes } : row)));
  const save = useChange(
    () =>
      lectern().budgets.setPrices(
        values
          .filter(({ input, output }) => input !== '' || output !== '')
          .map(({ model, input, output }) => ({
            model,
            inputPerMillion: Number(input),
            outputPerMillion: Number(output),
          })),
      ),
    ['model-prices'],
  );
  return (
    <Form mutation={save} label={t('settings.save')} done={t('settings.prices.saved')}>
      <p className="muted">{t('settings.prices.help')}</p>
      {values.map(({ model, input, output }) => (
        <fieldset key={model} className="card">
          <legend>{model}</legend>
          <div className="form-grid">
            <PriceFields
              labels={{ input: t('settings.prices.input'), output: t('settings.prices.output') }}
              price={{ input, output }}
              onChange={(changed) => change(model, changed)}
            />
          </div>
        </fieldset>
      ))}
    </Form>
  );
}
