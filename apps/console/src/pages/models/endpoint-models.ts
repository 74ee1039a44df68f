import type { EndpointModel, ModelPrice } from '#api/types.ts';
import type { TypedPrice } from '#ui/price-fields.tsx';

/** A model as it is typed. Empty fields mean a known or default window, and no price. */
export interface ModelRow extends TypedPrice {
  /** Identifies the row while its name changes. */
  readonly key: number;
  readonly id: string;
  readonly contextWindow: string;
}

/** A model that is not chosen yet. */
export const EMPTY_MODEL: EndpointModel = { id: '', contextWindow: null };

export function rowOf(key: number, model: EndpointModel, prices: readonly ModelPrice[]): ModelRow {
  const price = prices.find((one) => one.model === model.id);
  return {
    key,
    id: model.id,
    contextWindow: model.contextWindow?.toString() ?? '',
    input: price?.inputPerMillion.toString() ?? '',
    output: price?.outputPerMillion.toString() ?? '',
  };
}

/** Returns the models of a request. */
export const modelsOf = (rows: readonly ModelRow[]) =>
  rows.map(({ id, contextWindow }) => ({
    id: id.trim(),
    contextWindow: contextWindow === '' ? null : Number(contextWindow),
  }));

/**
 * Returns the current prices of the team with those that were typed in these rows since the form was opened.
 * Other prices can have changed meanwhile and stay. Undefined if none was typed.
 */
export function mergedPrices(
  current: readonly ModelPrice[],
  opened: readonly ModelRow[],
  rows: readonly ModelRow[],
): readonly ModelPrice[] | undefined {
  const typed = rows.filter(({ key, id, input, output }) => {
    const before = opened.find((row) => row.key === key && row.id.trim() === id.trim());
    return input !== (before?.input ?? '') || output !== (before?.output ?? '');
  });
  if (typed.length === 0) return undefined;
  const models = new Set(typed.map(({ id }) => id.trim()));
  const entered = typed
    .filter(({ input, output }) => input !== '' || output !== '')
    .map(({ id, input, output }) => ({
      model: id.trim(),
      inputPerMillion: Number(input),
      outputPerMillion: Number(output),
    }));
  return [...current.filter(({ model }) => !models.has(model)), ...entered];
}
