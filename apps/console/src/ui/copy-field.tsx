import { useId, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';

/** A text that is made to be copied. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const [isByHand, setIsByHand] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  async function copy() {
    try {
      // Browsers have a clipboard at https addresses and localhost alone, and may refuse it there.
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
    } catch {
      setIsCopied(false);
      field.current?.focus();
      field.current?.select();
      setIsByHand(true);
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
      {isByHand ? (
        <p className="small" role="status">
          The browser lets this page copy nothing. The text is selected: copy it with Ctrl+C or ⌘C.
        </p>
      ) : null}
    </div>
  );
}
