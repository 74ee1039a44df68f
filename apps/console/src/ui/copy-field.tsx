import { useId, useState } from 'react';
import { Button } from '#ui/button.tsx';

/** A text that is made to be copied. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(value);
    setIsCopied(true);
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <input id={id} className="mono grow" readOnly value={value} onFocus={(event) => event.target.select()} />
        <Button onClick={() => void copy().catch(() => setIsCopied(false))}>{isCopied ? 'Copied' : 'Copy'}</Button>
      </div>
    </div>
  );
}
