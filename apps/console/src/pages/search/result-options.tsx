import type { SearchState } from '#pages/search/use-search-state.ts';
import { t } from '#texts/texts.ts';
import { Checkbox } from '#ui/field.tsx';

/** How ranked results are shown: near-duplicates as one result, recent documents first. */
export function ResultOptions({
  state: { isCollapsed, prefersRecent },
  onChange,
}: {
  readonly state: SearchState;
  readonly onChange: (change: Partial<SearchState>) => void;
}) {
  return (
    <div className="facets">
      <fieldset>
        <legend>{t('search.results')}</legend>
        <Checkbox
          label={t('search.groupDuplicates')}
          isChecked={isCollapsed}
          onChange={(isChecked) => onChange({ isCollapsed: isChecked })}
        />
        <Checkbox
          label={t('search.preferRecent')}
          isChecked={prefersRecent}
          onChange={(isChecked) => onChange({ prefersRecent: isChecked })}
        />
      </fieldset>
    </div>
  );
}
