import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { Synonym } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { ImportForm } from '#pages/synonyms/import-form.tsx';
import { SynonymForm } from '#pages/synonyms/synonym-form.tsx';
import { SynonymItem } from '#pages/synonyms/synonym-item.tsx';
import { useExport } from '#pages/synonyms/use-export.ts';
import { usePacks } from '#pages/synonyms/use-packs.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField, TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The open dialog. */
type Open = { readonly what: 'new' | 'import' } | { readonly what: 'edit'; readonly synonym: Synonym };

/** Lists, searches and edits synonyms. */
export function SynonymsPanel() {
  const [query, setQuery] = useState('');
  const [source, setSource] = useState('custom');
  const [params, setParams] = useSearchParams();
  // Search insights link here with a query that had no results.
  const added = params.get('add') ?? undefined;
  const [open, setOpen] = useState<Open | undefined>(added === undefined ? undefined : { what: 'new' });
  const collections = useCollections();
  const { data: packs = [] } = usePacks();
  const sources = [
    { value: 'custom', label: t('synonyms.own') },
    ...packs.map(({ name }) => ({ value: name, label: t('synonyms.pack', { name }) })),
    { value: '', label: t('synonyms.all') },
  ];
  const filter = { ...(query === '' ? {} : { query }), ...(source === '' ? {} : { source }) };
  const paging = usePaged(['synonyms', query, source], (page, options) =>
    lectern().synonyms.list({ page, limit: 20, ...filter }, options),
  );
  const exported = useExport(source);
  const close = () => {
    setOpen(undefined);
    if (added !== undefined) setParams({});
  };
  const change = (set: (value: string) => void) => (value: string) => {
    paging.setPage(1);
    set(value);
  };
  const nameOf = (id: string) => collections.data?.find((collection) => collection.id === id)?.name ?? id;
  return (
    <section className="stack" aria-label={t('synonyms.title')}>
      <div className="row">
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          {t('synonyms.addSynonym')}
        </Button>
        <Button onClick={() => setOpen({ what: 'import' })}>{t('synonyms.import')}</Button>
        <Button isBusy={exported.isPending} onClick={() => exported.mutate()}>
          {t('synonyms.export')}
        </Button>
      </div>
      {exported.error ? <ErrorNotice error={exported.error} /> : null}
      <div className="form-grid">
        <TextField label={t('synonyms.find')} type="search" value={query} onChange={change(setQuery)} maxLength={200} />
        <SelectField label={t('synonyms.source')} value={source} options={sources} onChange={change(setSource)} />
      </div>
      <Listing
        paging={paging}
        what={t('synonyms.what')}
        empty={
          query === '' && source === 'custom' ? (
            <Empty title={t('synonyms.none')}>
              <p>{t('synonyms.noneHelp')}</p>
            </Empty>
          ) : (
            <Empty title={t('synonyms.noMatches')} />
          )
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((synonym) => (
              <SynonymItem
                key={synonym.id}
                synonym={synonym}
                collectionName={synonym.collection === null ? undefined : nameOf(synonym.collection)}
                onEdit={() => setOpen({ what: 'edit', synonym })}
              />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('synonyms.addSynonym')} side="middle" isOpen={open?.what === 'new'} onOpenChange={close}>
        <SynonymForm query={added} onDone={close} />
      </Sheet>
      <Sheet title={t('synonyms.editSynonym')} side="middle" isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <SynonymForm synonym={open.synonym} onDone={close} /> : null}
      </Sheet>
      <Sheet title={t('synonyms.importSynonyms')} side="middle" isOpen={open?.what === 'import'} onOpenChange={close}>
        <ImportForm onDone={close} />
      </Sheet>
    </section>
  );
}
