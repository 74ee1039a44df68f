import type { Root } from 'mdast';
import { findAndReplace } from 'mdast-util-find-and-replace';
import { createContext, type ReactNode, useContext } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

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
  readonly sourceCount: number;
  readonly onCite: (index: number) => void;
}

const CitationsContext = createContext<Citations>({ sourceCount: 0, onCite: () => undefined });

function ReplyLink({ href = '', children }: { readonly href?: string; readonly children?: ReactNode }) {
  const { sourceCount, onCite } = useContext(CitationsContext);
  const number = href.startsWith(SOURCE) ? Number(href.slice(SOURCE.length)) : 0;
  if (number >= 1 && number <= sourceCount) {
    return (
      <button type="button" className="citation" aria-label={`Source ${number}`} onClick={() => onCite(number - 1)}>
        {number}
      </button>
    );
  }
  return (
    <a href={href} target="_blank" rel="noreferrer nofollow">
      {children}
    </a>
  );
}

/** Constant: with new components, React would replace the elements, and one of them can have the focus. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <ReplyLink {...(href === undefined ? {} : { href })}>{children}</ReplyLink>,
  // The server of an image would see who reads the reply.
  img: ({ src, alt }) => (
    <a href={src} target="_blank" rel="noreferrer nofollow">
      {alt || 'Image'}
    </a>
  ),
  table: ({ children }) => (
    <div className="table-wrap">
      <table>{children}</table>
    </div>
  ),
  // The page has its own headings above these.
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
};

/** Renders a reply: Markdown and citations. Never renders HTML or images, because replies are untrusted. */
export function Prose({ text, sourceCount, onCite }: Citations & { readonly text: string }) {
  return (
    <CitationsContext value={{ sourceCount, onCite }}>
      <div className="prose">
        <Markdown remarkPlugins={[remarkGfm, remarkSources(sourceCount)]} components={COMPONENTS}>
          {text}
        </Markdown>
      </div>
    </CitationsContext>
  );
}
