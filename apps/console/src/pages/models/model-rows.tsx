import type { EndpointModel } from '#api/types.ts';
import { EMPTY_MODEL, type ModelRow, rowOf } from '#pages/models/endpoint-models.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { SelectField, TextField } from '#ui/field.tsx';
import { PriceFields } from '#ui/price-fields.tsx';

/** The models that an endpoint offers to the team, with their windows and prices. */
export function ModelRows({
  rows,
  listed,
  error,
  onChange,
}: {
  readonly rows: readonly ModelRow[];
  /** The models that the endpoint lists, after a test. */
  readonly listed: readonly EndpointModel[];
  readonly error: string | undefined;
  readonly onChange: (rows: readonly ModelRow[]) => void;
}) {
  const change = (key: number, changes: Partial<ModelRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  const add = (model: EndpointModel) => {
    // The first row is empty until a model is chosen.
    const used = model.id === '' ? rows : rows.filter(({ id }) => id !== '');
    onChange([...used, rowOf(Math.max(-1, ...rows.map(({ key }) => key)) + 1, model, [])]);
  };
  const others = listed.filter(({ id }) => !rows.some((row) => row.id === id));
  return (
    <section className="stack" aria-labelledby="endpoint-models">
      <h3 id="endpoint-models">{t('models.endpoints.models')}</h3>
      {others.length === 0 ? null : (
        <SelectField
          label={t('models.endpoints.addListed')}
          value=""
          options={[
            { value: '', label: t('models.endpoints.chooseModel') },
            ...others.map(({ id }) => ({ value: id, label: id })),
          ]}
          onChange={(id) => {
            const model = others.find((one) => one.id === id);
            if (model) add(model);
          }}
        />
      )}
      {rows.map(({ key, id, contextWindow, input, output }, at) => (
        <fieldset key={key} className="card">
          <legend>{id === '' ? t('models.endpoints.modelNumber', { number: at + 1 }) : id}</legend>
          <div className="form-grid">
            <TextField
              label={t('models.endpoints.modelName')}
              value={id}
              onChange={(value) => change(key, { id: value })}
              required
              maxLength={200}
              autoComplete="off"
            />
            <TextField
              label={t('models.context')}
              type="number"
              min={1024}
              max={10_000_000}
              step={1}
              value={contextWindow}
              onChange={(value) => change(key, { contextWindow: value })}
              hint={t('models.endpoints.contextHint')}
            />
            <PriceFields
              labels={{ input: t('models.endpoints.priceIn'), output: t('models.endpoints.priceOut') }}
              price={{ input, output }}
              onChange={(changed) => change(key, changed)}
            />
          </div>
          {rows.length > 1 ? (
            <div className="row row-end">
              <Button
                aria-label={t('models.endpoints.removeNamed', { name: id === '' ? String(at + 1) : id })}
                onClick={() => onChange(rows.filter((row) => row.key !== key))}
              >
                {t('models.endpoints.remove')}
              </Button>
            </div>
          ) : null}
        </fieldset>
      ))}
      {error === undefined ? null : <p className="field-error">{error}</p>}
      <div className="row">
        <Button onClick={() => add(EMPTY_MODEL)}>{t('models.endpoints.addModel')}</Button>
      </div>
      <p className="muted small">{t('models.endpoints.pricesHint')}</p>
    </section>
  );
}
