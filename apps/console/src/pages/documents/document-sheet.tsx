import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { lectern } from '#api/lectern.ts';
import { ocrNotice } from '#pages/documents/ocr-notice.ts';
import { Readers } from '#pages/documents/readers.tsx';
import { windowAround } from '#pages/documents/window-around.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Icon } from '#ui/icon.tsx';
import { Loading } from '#ui/loading.tsx';
import { saveFile } from '#ui/save-file.ts';
import { Sheet } from '#ui/sheet.tsx';

const CitedPages = lazy(() => import('#pages/documents/cited-pages.tsx'));
const DocumentText = lazy(() => import('#pages/documents/document-text.tsx'));

/** The document to show. `quote` is verbatim text of the document to highlight. */
export interface Opened {
  readonly id: string;
  readonly title: string;
  readonly quote?: string | undefined;
  /** The start of the quote in UTF-16 units, if known. */
  readonly offset?: number;
}

/** A panel with the rendered text of a document, scrolled to the quote. */
export function DocumentSheet({
  opened,
  onClose,
}: {
  readonly opened: Opened | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Sheet title={opened?.title ?? ''} isOpen={opened !== undefined} onOpenChange={(isOpen) => isOpen || onClose()}>
      {opened ? <Content {...opened} /> : null}
    </Sheet>
  );
}

function Content({ id, title, quote, offset }: Opened) {
  const document = useQuery({
    queryKey: ['document', id, 'content'],
    queryFn: ({ signal }) => lectern().documents.content(id, { signal }),
  });
  if (document.error) return <ErrorNotice error={document.error} onRetry={() => document.refetch()} />;
  if (document.data === undefined) return <Loading what={t('documents.what.document')} />;

  const { content, collection, source, metadata } = document.data;
  const shown = windowAround(content, quote, offset);
  const isMarked = shown.marked !== '';
  const { author, url } = metadata;
  const recognition = ocrNotice(metadata.ocr);
  const download = () => saveFile(`${title}.md`, new Blob([content], { type: 'text/markdown' }));
  return (
    <article className="stack">
      <p className="muted small">
        {collection} · {source}
        {typeof author === 'string' ? ` · ${author}` : ''}
      </p>
      <div className="row">
        {typeof url === 'string' && /^https?:/.test(url) ? (
          <a className="button button-small" href={url} target="_blank" rel="noreferrer">
            <Icon name="outside" size={16} />
            {t('documents.openOriginal')}
          </a>
        ) : null}
        {content === '' ? null : (
          <Button className="button-small" onClick={download}>
            <Icon name="download" size={16} />
            {t('documents.downloadText')}
          </Button>
        )}
      </div>
      <Readers id={id} />
      {recognition === undefined ? null : (
        <p className={recognition.isBad ? 'notice notice-warn' : 'muted small'}>{recognition.text}</p>
      )}
      {shown.isCut ? (
        <p className="notice notice-warn">{t(isMarked ? 'documents.cutAroundPassage' : 'documents.cutAfterStart')}</p>
      ) : null}
      {quote && !isMarked ? <p className="notice notice-warn">{t('documents.passageGone')}</p> : null}
      {isMarked ? (
        <Suspense>
          <CitedPages id={id} start={shown.start} end={shown.start + shown.marked.length} />
        </Suspense>
      ) : null}
      {content === '' ? <p className="muted">{t('documents.noText')}</p> : null}
      <Suspense fallback={<Loading what={t('documents.what.text')} />}>
        <DocumentText {...shown} />
      </Suspense>
    </article>
  );
}
