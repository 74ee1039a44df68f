import type { Schemas } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { CaseForm } from '#pages/test-cases/case-form.tsx';
import { ImportForm } from '#pages/test-cases/import-form.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Listing } from '#ui/listing.tsx';
import { Sheet } from '#ui/sheet.tsx';

type TestCase = Schemas['TestCase'];
type Open = { readonly what: 'new' | 'import' } | { readonly what: 'edit'; readonly testCase: TestCase };

/** Lists, searches and edits test cases. */
export function CasesPanel() {
  const [params, setParams] = useSearchParams();
  const linked = params.get('case');
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState<Open>();
  const paging = usePaged(['test-cases', query], (page, options) =>
    lectern().testCases.list({ page, limit: 20, ...(query === '' ? {} : { query }) }, options),
  );
  const linkedCase = useQuery({
    queryKey: ['test-case', linked],
    queryFn: ({ signal }) => lectern().testCases.get(linked ?? '', { signal }),
    enabled: linked !== null,
  });
  const download = useChange(async () => {
    const { text } = await lectern().testCases.export();
    const url = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'test-cases.jsonl';
    link.click();
    URL.revokeObjectURL(url);
  }, []);
  const close = () => {
    setOpen(undefined);
    if (linked !== null) setParams({});
  };
  const edited = open?.what === 'edit' ? open.testCase : linked === null ? undefined : linkedCase.data;
  return (
    <section className="stack" aria-label={t('testCases.title')}>
      <div className="row">
        <Button isPrimary onClick={() => setOpen({ what: 'new' })}>
          {t('testCases.addCase')}
        </Button>
        <Button onClick={() => setOpen({ what: 'import' })}>{t('testCases.import')}</Button>
        <Button isBusy={download.isPending} onClick={() => download.mutate()}>
          {t('testCases.export')}
        </Button>
      </div>
      {download.error ? <ErrorNotice error={download.error} /> : null}
      {linkedCase.error ? <ErrorNotice error={linkedCase.error} /> : null}
      <TextField
        label={t('testCases.find')}
        type="search"
        value={query}
        onChange={(value) => {
          paging.setPage(1);
          setQuery(value);
        }}
        maxLength={200}
      />
      <Listing
        paging={paging}
        what={t('testCases.what.cases')}
        empty={
          query === '' ? (
            <Empty title={t('testCases.none')}>
              <p>{t('testCases.noneHint')}</p>
            </Empty>
          ) : (
            <Empty title={t('testCases.noMatches')} />
          )
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((testCase) => (
              <CaseItem key={testCase.id} testCase={testCase} onEdit={() => setOpen({ what: 'edit', testCase })} />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title={t('testCases.addCase')} side="middle" isOpen={open?.what === 'new'} onOpenChange={close}>
        <CaseForm onDone={close} />
      </Sheet>
      <Sheet title={t('testCases.editCase')} side="middle" isOpen={edited !== undefined} onOpenChange={close}>
        {edited === undefined ? null : <CaseForm testCase={edited} onDone={close} />}
      </Sheet>
      <Sheet title={t('testCases.importTitle')} side="middle" isOpen={open?.what === 'import'} onOpenChange={close}>
        <ImportForm onDone={close} />
      </Sheet>
    </section>
  );
}

function expectationText({ expect, documents, texts }: TestCase): string {
  if (expect === 'refusal') return t('testCases.mustRefuse');
  const parts = [
    ...(documents.length === 0 ? [] : [t('testCases.cites', { count: documents.length })]),
    ...(texts.length === 0 ? [] : [t('testCases.contains', { count: texts.length })]),
  ];
  return parts.length === 0 ? t('testCases.mustAnswer') : parts.join(', ');
}

function CaseItem({ testCase, onEdit }: { readonly testCase: TestCase; readonly onEdit: () => void }) {
  const { id, question, user } = testCase;
  const remove = useChange(() => lectern().testCases.delete(id), ['test-cases', 'questions']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <p>{question}</p>
        <p className="muted small">
          {expectationText(testCase)} ·{' '}
          {user === null ? t('testCases.allDocuments') : t('testCases.documentsOf', { user })}
        </p>
      </div>
      <div className="row">
        <Button onClick={onEdit}>{t('testCases.edit')}</Button>
        <Confirm
          label={t('testCases.delete')}
          question={t('testCases.deleteQuestion')}
          done={t('testCases.deleted')}
          mutation={remove}
        >
          <p>{question}</p>
        </Confirm>
      </div>
    </li>
  );
}
