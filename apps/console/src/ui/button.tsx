import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly isPrimary?: boolean;
  readonly isDanger?: boolean;
  /** Shows a spinner and disables the button. */
  readonly isBusy?: boolean;
}

export function Button({ isPrimary, isDanger, isBusy, disabled, className, children, ...rest }: ButtonProps) {
  const kind = isPrimary ? 'button-primary' : isDanger ? 'button-danger' : '';
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind} ${className ?? ''}`}
      disabled={disabled === true || isBusy === true}
      aria-busy={isBusy}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
