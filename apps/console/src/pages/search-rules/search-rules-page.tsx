import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { SearchRule } from '#api/types.ts';
import { usePaged } from '#api/use-paged.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { RuleExport } from '#pages/search-rules/rule-export.tsx';
import { RuleForm } from '#pages/search-rules/rule-form.tsx';
import { RuleImport } from '#pages/search-rules/rule-import.tsx';
import { RuleItem } from '#pages/search-rules/rule-item.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The open dialog. */
type Open = { readonly what: 'new' | 'import' | 'export' } | { readonly what: 'edit'; readonly rule: SearchRule };

/** Lists and edits the rules that pin documents to positions, or hide them. */
export default function SearchRulesPage() {
  const [query, setQuery] = useState('');
  const [params, setParams] = useSearchParams();
  // The search page links here with its query.
  const added = params.get('add') ?? undefined;
  const [open, setOpen] = useState<Open | undefined>(added === undefined ? undefined : { what: 'new' });
  const collections = useCollections();
  const paging = usePaged(['search-rules', query], (page, options) =>
    lectern().searchRules.list({ page, limit: 20, ...(query === '' ? {} : { query }) }, options),
  );
  const close = () => {
    setOpen(undefined);
    if (added !== undefined) setParams({});
  };
  const nameOf = (id: string) => collections.data?.find((collection) => collection.id === id)?.name ?? id;
  return (
    <>
      <PageHead title={t('searchRules.title')} intro={t('searchRules.intro')} />
      <section className="stack" aria-label={t('searchRules.title')}>
        <div className="row">
          <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
            {t('searchRules.addRule')}
          </Button>
          <Button onClick={() => setOpen({ what: 'import' })}>{t('searchRules.import')}</Button>
          <Button onClick={() => setOpen({ what: 'export' })}>{t('searchRules.export')}</Button>
        </div>
        <TextField
          label={t('searchRules.find')}
          type="search"
          value={query}
          maxLength={200}
          onChange={(text) => {
            paging.setPage(1);
            setQuery(text);
          }}
        />
        <Listing
          paging={paging}
          what={t('searchRules.what')}
          empty={
            query === '' ? (
              <Empty title={t('searchRules.none')}>
                <p>{t('searchRules.noneHelp')}</p>
              </Empty>
            ) : (
              <Empty title={t('searchRules.noMatches')} />
            )
          }
        >
          {(items) => (
            <ul className="plain-list">
              {items.map((rule) => (
                <RuleItem
                  key={rule.id}
                  rule={rule}
                  collectionName={rule.collection === null ? undefined : nameOf(rule.collection)}
                  onEdit={() => setOpen({ what: 'edit', rule })}
                />
              ))}
            </ul>
          )}
        </Listing>
      </section>
      <Sheet title={t('searchRules.addRule')} side="middle" isOpen={open?.what === 'new'} onOpenChange={close}>
        <RuleForm query={added} onDone={close} />
      </Sheet>
      <Sheet title={t('searchRules.editRule')} side="middle" isOpen={open?.what === 'edit'} onOpenChange={close}>
        {open?.what === 'edit' ? <RuleForm rule={open.rule} onDone={close} /> : null}
      </Sheet>
      <Sheet title={t('searchRules.importRules')} side="middle" isOpen={open?.what === 'import'} onOpenChange={close}>
        <RuleImport onDone={close} />
      </Sheet>
      <Sheet title={t('searchRules.exportRules')} side="middle" isOpen={open?.what === 'export'} onOpenChange={close}>
        <RuleExport onDone={close} />
      </Sheet>
    </>
  );
}
