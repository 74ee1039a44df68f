import { useId, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';

/** A read-only field with a copy button. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const [mustCopyManually, setMustCopyManually] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  async function copy() {
    try {
      // The clipboard requires https or localhost, and the browser can deny access.
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
    } catch {
      setIsCopied(false);
      field.current?.focus();
      field.current?.select();
      setMustCopyManually(true);
    }
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <input
          ref={field}
          id={id}
          className="mono grow"
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
        />
        <Button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy'}</Button>
      </div>
      {mustCopyManually ? (
        <p className="small" role="status">
          The browser blocked copying. The text is selected: press Ctrl+C or ⌘C to copy it.
        </p>
      ) : null}
    </div>
  );
}
