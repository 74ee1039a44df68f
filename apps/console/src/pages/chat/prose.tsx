import type { Root } from 'mdast';
import { findAndReplace } from 'mdast-util-find-and-replace';
import { createContext, memo, type ReactNode, useContext } from 'react';
import type { Source } from '#api/types.ts';
import { Citation } from '#pages/chat/citation.tsx';
import { Markdown } from '#ui/markdown/markdown.tsx';

const MARKER = /\[(\d{1,3})\]/g;
const SOURCE = '#source-';

/** Makes markers like `[1]` links to their sources. A number without a source stays text. */
const remarkSources = (sourceCount: number) => () => (tree: Root) =>
  findAndReplace(
    tree,
    [
      MARKER,
      (marker: string, digits: string) =>
        Number(digits) >= 1 &&
        Number(digits) <= sourceCount && {
          type: 'link',
          url: `${SOURCE}${Number(digits)}`,
          children: [{ type: 'text', value: marker }],
        },
    ],
    { ignore: ['link', 'linkReference'] },
  );

interface Citations {
  readonly sources: readonly Source[];
  readonly onCite: (index: number) => void;
}

const NO_CITATIONS: Citations = { sources: [], onCite: () => undefined };
const CitationsContext = createContext(NO_CITATIONS);

function ReplyLink({ href = '', children }: { readonly href?: string | undefined; readonly children?: ReactNode }) {
  const { sources, onCite } = useContext(CitationsContext);
  const number = href.startsWith(SOURCE) ? Number(href.slice(SOURCE.length)) : 0;
  const source = sources[number - 1];
  if (source !== undefined) return <Citation number={number} source={source} onOpen={() => onCite(number - 1)} />;
  return (
    <a href={href} target="_blank" rel="noreferrer nofollow">
      {children}
    </a>
  );
}

/** The text of a reply: Markdown and citations. Finished replies do not render again while another one grows. */
export const Prose = memo(function Prose({
  text,
  sources = NO_CITATIONS.sources,
  onCite = NO_CITATIONS.onCite,
}: Partial<Citations> & { readonly text: string }) {
  return (
    <CitationsContext value={{ sources, onCite }}>
      <div className="prose">
        <Markdown text={text} plugins={[remarkSources(sources.length)]} link={ReplyLink} />
      </div>
    </CitationsContext>
  );
});
