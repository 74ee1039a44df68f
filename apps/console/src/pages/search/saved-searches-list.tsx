import { useState } from 'react';
import { Link } from 'wouter';
import { SavedSearchForm } from '#pages/search/saved-search-form.tsx';
import { MAX_PARAMS, MAX_SAVED, type SavedSearch } from '#pages/search/saved-searches.ts';
import { useSavedSearches } from '#pages/search/use-saved-searches.ts';
import { paramsOf, type SearchState } from '#pages/search/use-search-state.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The saved searches of the person: each opens with its query, mode, order and filters. */
export function SavedSearchesList({ state }: { readonly state: SearchState }) {
  const { saved, change } = useSavedSearches();
  const [edited, setEdited] = useState<SavedSearch | 'new'>();
  const params = paramsOf({ ...state, page: 1 }).toString();
  const isSaved = saved.some((search) => search.params === params);
  const isFull = saved.length >= MAX_SAVED;
  const isTooLarge = params.length > MAX_PARAMS;
  const hint = isFull
    ? t('search.saved.full', { count: MAX_SAVED })
    : isTooLarge
      ? t('search.saved.tooLarge')
      : saved.length === 0
        ? t('search.saved.hint')
        : undefined;
  const close = () => setEdited(undefined);
  return (
    <fieldset className="saved-searches">
      <legend>{t('search.saved.title')}</legend>
      {saved.length === 0 ? null : (
        <ul>
          {saved.map((search) => (
            <li key={search.name}>
              <Link href={`/search?${search.params}`} aria-current={search.params === params ? 'true' : undefined}>
                {search.name}
              </Link>
              <IconButton
                icon="edit"
                isQuiet
                label={t('search.saved.edit', { name: search.name })}
                onClick={() => setEdited(search)}
              />
            </li>
          ))}
        </ul>
      )}
      {params === '' || isSaved ? null : (
        <Button disabled={isFull || isTooLarge} onClick={() => setEdited('new')}>
          {t('search.saved.save')}
        </Button>
      )}
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      <Sheet
        title={edited === 'new' ? t('search.saved.save') : t('search.saved.editTitle')}
        description={t('search.saved.browser')}
        side="middle"
        isOpen={edited !== undefined}
        onOpenChange={(isOpen) => {
          if (!isOpen) close();
        }}
      >
        {edited === undefined ? null : (
          <SavedSearchForm
            key={edited === 'new' ? '' : edited.name}
            edited={edited === 'new' ? undefined : edited}
            suggestedName={state.query}
            params={params}
            saved={saved}
            change={change}
            onDone={close}
          />
        )}
      </Sheet>
    </fieldset>
  );
}
