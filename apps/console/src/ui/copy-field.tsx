import { useEffect, useId, useRef, useState } from 'react';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { copyText } from '#ui/copy-text.ts';

const MAX_ROWS = 8;

/** A read-only field with a copy button. With `isBlocked`, copying has failed already. */
export function CopyField({
  label,
  value,
  isBlocked = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly isBlocked?: boolean;
}) {
  const id = useId();
  const [state, setState] = useState<'idle' | 'copied' | 'blocked'>(isBlocked ? 'blocked' : 'idle');
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const select = () => field.current?.select();
  useEffect(() => {
    if (isBlocked) field.current?.focus();
  }, [isBlocked]);
  const copy = () =>
    copyText(value).then(
      () => setState('copied'),
      () => {
        setState('blocked');
        field.current?.focus();
        select();
      },
    );
  const attributes = { ref: field, id, className: 'mono grow', readOnly: true, value, onFocus: select };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        {/* An input would remove line breaks. */}
        {value.includes('\n') ? (
          <textarea {...attributes} rows={Math.min(value.split('\n').length, MAX_ROWS)} />
        ) : (
          <input {...attributes} />
        )}
        <Button onClick={() => void copy()}>{state === 'copied' ? t('ui.copied') : t('ui.copy')}</Button>
      </div>
      {state === 'blocked' ? (
        <p className="small" role="status">
          {t('ui.copyBlocked')}
        </p>
      ) : null}
    </div>
  );
}
