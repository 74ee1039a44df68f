import { useState } from 'react';
import { t } from '#texts/texts.ts';
import { CopyField } from '#ui/copy-field.tsx';
import { copyText } from '#ui/copy-text.ts';
import { IconButton } from '#ui/icon-button.tsx';

/** Copies a text. If the browser blocks that, shows the text to copy by hand. */
export function CopyButton({
  text,
  label = t('ui.copy'),
  what = t('ui.answer'),
}: {
  readonly text: string;
  readonly label?: string;
  /** What the text is, for the field with the text. */
  readonly what?: string;
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'blocked'>('idle');
  const copy = () =>
    copyText(text).then(
      () => setState('copied'),
      () => setState('blocked'),
    );
  if (state === 'blocked') return <CopyField label={what} value={text} isBlocked />;
  const isCopied = state === 'copied';
  return (
    <>
      <IconButton
        icon={isCopied ? 'check' : 'copy'}
        label={isCopied ? t('ui.copied') : label}
        isQuiet
        onClick={() => void copy()}
        onBlur={() => setState('idle')}
      />
      <span role="status" className="visually-hidden">
        {isCopied ? t('ui.copiedSentence') : ''}
      </span>
    </>
  );
}
