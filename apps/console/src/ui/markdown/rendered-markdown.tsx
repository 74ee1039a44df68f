import type { Element } from 'hast';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { t } from '#texts/texts.ts';
import { CodeBlock } from '#ui/markdown/code-block.tsx';

interface LinkProps {
  readonly href?: string | undefined;
  readonly children?: ReactNode;
}

function OutsideLink({ href, children }: LinkProps) {
  return (
    <a href={href} target="_blank" rel="noreferrer nofollow">
      {children}
    </a>
  );
}

/** Returns the language and the text of a `pre` element. */
function codeOf(pre: Element | undefined): { readonly language: string; readonly text: string } {
  const code = pre?.children[0];
  if (code?.type !== 'element') return { language: '', text: '' };
  const classes = Array.isArray(code.properties.className) ? code.properties.className : [];
  const language = classes.map(String).find((name) => name.startsWith('language-'));
  const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
  return { language: language?.slice('language-'.length) ?? '', text: text.replace(/\n$/, '') };
}

/** Constant: with new components, React would replace the elements, and one of them can have the focus. */
const COMPONENTS: Components = {
  // The server of an image would see who reads the text.
  img: ({ src, alt }) => (
    <OutsideLink href={typeof src === 'string' ? src : undefined}>{alt || t('ui.image')}</OutsideLink>
  ),
  pre: ({ node }) => <CodeBlock {...codeOf(node)} />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables scroll, also with the keyboard.
    <section className="table-wrap" aria-label={t('ui.table')} tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
  // The page has its own headings above these.
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
};

export interface MarkdownProps {
  readonly text: string;
  readonly plugins?: NonNullable<Options['remarkPlugins']>;
  /** The component of links. Must be constant. */
  readonly link?: ComponentType<LinkProps>;
}

/** Renders Markdown. Never renders HTML or images, because replies and documents are untrusted. */
export default function RenderedMarkdown({ text, plugins = [], link: Link = OutsideLink }: MarkdownProps) {
  const components = useMemo<Components>(
    () => ({ ...COMPONENTS, a: ({ href, children }) => <Link href={href}>{children}</Link> }),
    [Link],
  );
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm, ...plugins]} components={components}>
      {text}
    </ReactMarkdown>
  );
}
