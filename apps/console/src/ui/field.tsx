import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The validation error of the value. */
  readonly error?: string | undefined;
}

interface Attributes {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** A labeled control. Links the hint and the error to it for assistive technology. */
function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { readonly children: (attributes: Attributes) => ReactNode }) {
  const id = useId();
  const descriptions = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter((part) => part !== '').join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(descriptions === '' ? {} : { 'aria-describedby': descriptions }),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {hint ? (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}

type ControlProps<E> = Omit<E, 'onChange' | 'value'> &
  FieldProps & { readonly value: string; readonly onChange: (value: string) => void };

export function TextField({
  label,
  hint,
  error,
  onChange,
  ...rest
}: ControlProps<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input type="text" {...rest} {...attributes} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  onChange,
  ...rest
}: ControlProps<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea rows={4} {...rest} {...attributes} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export function SelectField({
  label,
  hint,
  error,
  value,
  options,
  onChange,
  ...rest
}: FieldProps & {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly disabled?: boolean;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <select {...rest} {...attributes} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  isChecked,
  onChange,
}: {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  return (
    <label className="checkbox">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
