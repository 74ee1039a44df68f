import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { CopyField } from '#ui/copy-field.tsx';

/** Copies a text. If the browser blocks that, shows the text to copy by hand. */
export function CopyButton({ text }: { readonly text: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'blocked'>('idle');
  const copy = () =>
    // The clipboard does not exist without https, except on localhost.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => setState('copied'),
        () => setState('blocked'),
      );
  if (state === 'blocked') return <CopyField label="Answer" value={text} />;
  return <Button onClick={() => void copy()}>{state === 'copied' ? 'Copied' : 'Copy'}</Button>;
}
