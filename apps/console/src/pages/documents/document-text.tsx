import { useEffect, useRef } from 'react';
import { markPassage } from '#pages/documents/mark-passage.ts';
import type { TextWindow } from '#pages/documents/window-around.ts';
import { Markdown } from '#ui/markdown/markdown.tsx';

/** The rendered text of a document, scrolled to its marked passage. */
export default function DocumentText({ before, marked, after }: TextWindow) {
  const root = useRef<HTMLDivElement>(null);
  const text = before + marked + after;
  const from = before.length;
  const to = from + marked.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again to another passage.
  useEffect(() => {
    root.current?.querySelector('mark, .marked')?.scrollIntoView({ block: 'center' });
  }, [text, from, to]);
  return (
    <div ref={root} className="prose document">
      <Markdown text={text} plugins={[markPassage({ from, to })]} />
    </div>
  );
}
