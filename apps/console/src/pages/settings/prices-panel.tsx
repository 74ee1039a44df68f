import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import type { ModelPrice } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { TextField } from '#ui/field.tsx';
import { Form } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** A price as it is typed. Empty fields mean that the model costs nothing. */
interface Row {
  readonly model: string;
  readonly input: string;
  readonly output: string;
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

/** The prices of the models. */
export function PricesPanel() {
  const prices = useQuery({
    queryKey: ['model-prices'],
    queryFn: async ({ signal }) => {
      const [current, models] = await Promise.all([
        lectern().budgets.prices({ signal }),
        lectern().client.call('listModels', {}, { signal }),
      ]);
      const priced = models.flatMap(({ id, provider }) => (provider === 'builtin' ? [] : [id]));
      return rowsOf(current, priced);
    },
  });
  return (
    <QueryView query={prices} what="prices">
      {(rows) =>
        rows.length === 0 ? (
          <p className="muted">
            Only the built-in model is available. It costs nothing. Connect another model to set its price.
          </p>
        ) : (
          <PricesForm rows={rows} />
        )
      }
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
    <Form mutation={save} label="Save" done="The prices are saved.">
      <p className="muted">
        Per million tokens, in the currency of your invoices. They apply from now on: earlier costs do not change.
      </p>
      {values.map(({ model, input, output }) => (
        <fieldset key={model} className="card">
          <legend>{model}</legend>
          <div className="form-grid">
            <TextField
              label="Input"
              type="number"
              min={0}
              step="any"
              value={input}
              onChange={(value) => change(model, { input: value })}
            />
            <TextField
              label="Output"
              type="number"
              min={0}
              step="any"
              value={output}
              onChange={(value) => change(model, { output: value })}
            />
          </div>
        </fieldset>
      ))}
    </Form>
  );
}
