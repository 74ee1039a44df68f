import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { lectern } from '#api/lectern.ts';
import { ocrNotice } from '#pages/documents/ocr-notice.ts';
import { windowAround } from '#pages/documents/window-around.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Icon } from '#ui/icon.tsx';
import { Loading } from '#ui/loading.tsx';
import { saveFile } from '#ui/save-file.ts';
import { Sheet } from '#ui/sheet.tsx';

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
  if (document.data === undefined) return <Loading what="the document" />;

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
            Open original
          </a>
        ) : null}
        {content === '' ? null : (
          <Button className="button-small" onClick={download}>
            <Icon name="download" size={16} />
            Download text
          </Button>
        )}
      </div>
      {recognition === undefined ? null : (
        <p className={recognition.isBad ? 'notice notice-warn' : 'muted small'}>{recognition.text}</p>
      )}
      {shown.isCut ? (
        <p className="notice notice-warn">
          This document is long. Only {isMarked ? 'the text around the passage' : 'its start'} is shown. Download the
          text to read all of it.
        </p>
      ) : null}
      {quote && !isMarked ? (
        <p className="notice notice-warn">The document has changed and no longer contains this passage.</p>
      ) : null}
      {content === '' ? <p className="muted">This document has no text.</p> : null}
      <Suspense fallback={<Loading what="the text" />}>
        <DocumentText {...shown} />
      </Suspense>
    </article>
  );
}
