import type { Facet } from '#api/types.ts';
import { FACET_FIELDS, hasFilters, NO_FILTERS, type SearchState } from '#pages/search/use-search-state.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/field.tsx';

/** The facet values of the results as filters. */
export function Facets({
  facets,
  chosen,
  nameOf,
  onChoose,
}: {
  readonly facets: readonly Facet[];
  readonly chosen: SearchState['chosen'];
  /** The name of a collection. */
  readonly nameOf: (id: string) => string;
  readonly onChoose: (chosen: SearchState['chosen']) => void;
}) {
  return (
    <div className="facets">
      {hasFilters(chosen) ? <Button onClick={() => onChoose(NO_FILTERS)}>{t('search.clearFilters')}</Button> : null}
      {FACET_FIELDS.map((field) => {
        const counted = facets.find((facet) => facet.field === field)?.values ?? [];
        const values = counted.map(({ value, count }) => ({ value: String(value), count }));
        // A selected value stays visible, so that it can be cleared, even without results.
        const missing = chosen[field].filter((value) => !values.some((row) => row.value === value));
        const rows = [...values, ...missing.map((value) => ({ value, count: 0 }))];
        if (rows.length === 0) return null;
        return (
          <fieldset key={field}>
            <legend>{t(`search.fields.${field}`)}</legend>
            {rows.map(({ value, count }) => (
              <Checkbox
                key={value}
                isChecked={chosen[field].includes(value)}
                onChange={(isChecked) => {
                  const others = chosen[field].filter((other) => other !== value);
                  onChoose({ ...chosen, [field]: isChecked ? [...others, value] : others });
                }}
                label={
                  <>
                    {field === 'collection' ? nameOf(value) : value} <span>{count}</span>
                  </>
                }
              />
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
