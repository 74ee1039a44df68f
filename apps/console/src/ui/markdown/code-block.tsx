import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { lazy, memo, Suspense } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { t } from '#texts/texts.ts';
import { CopyButton } from '#ui/copy-button.tsx';

/** More would be highlighted slowly. */
const MAX_HIGHLIGHTED = 50_000;

interface Code {
  readonly language: string;
  readonly text: string;
}

// Loaded with the first block of a known language.
const Highlighted = lazy(async () => {
  const { highlight } = await import('#ui/markdown/highlight.ts');
  return {
    default: function Highlighted({ language, text }: Code) {
      const tree = highlight(language, text);
      return tree === undefined ? text : toJsxRuntime(tree, { Fragment, jsx, jsxs });
    },
  };
});

/** A block of code with its language and a button that copies it. Highlighted once, not with each added word. */
export const CodeBlock = memo(function CodeBlock({ language, text }: Code) {
  const isHighlighted = language !== '' && text.length <= MAX_HIGHLIGHTED;
  return (
    <div className="code-block">
      <div className="code-head">
        <span className="small muted">{language || t('ui.text')}</span>
        <CopyButton text={text} label={t('ui.copyCode')} what={t('ui.code')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard. */}
      <pre tabIndex={0}>
        <code>
          {isHighlighted ? (
            <Suspense fallback={text}>
              <Highlighted language={language} text={text} />
            </Suspense>
          ) : (
            text
          )}
        </code>
      </pre>
    </div>
  );
});
