import { lazy, Suspense } from 'react';
import type { MarkdownProps } from '#ui/markdown/rendered-markdown.tsx';

// Loaded with the first text: the parser is larger than the rest of a page.
const RenderedMarkdown = lazy(() => import('#ui/markdown/rendered-markdown.tsx'));

/** Renders Markdown. Shows the text as it is until the parser is loaded. */
export const Markdown = (props: MarkdownProps) => (
  <Suspense fallback={<p className="prose-raw">{props.text}</p>}>
    <RenderedMarkdown {...props} />
  </Suspense>
);
