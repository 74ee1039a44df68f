import { issueOf } from '#api/issue-of.ts';
import type { FieldSpec, TypeSpec } from '#pages/connectors/connector-fields.ts';
import type { Values } from '#pages/connectors/form-values.ts';
import { intervalChoices } from '#pages/connectors/intervals.ts';
import { t } from '#texts/texts.ts';
import { SelectField, TextArea, TextField } from '#ui/field.tsx';

/** The credential fields of a connector type, if it has any. */
export function CredentialFields({
  spec,
  label,
  hint,
  values,
  error,
  onChange,
}: {
  readonly spec: TypeSpec | undefined;
  readonly label: string;
  readonly hint: string;
  readonly values: Values;
  readonly error: Error | null;
  readonly onChange: (values: Values) => void;
}) {
  const fields = spec?.credentials ?? [];
  if (fields.length === 0) return null;
  return (
    <fieldset>
      <legend>{label}</legend>
      <p className="hint">{hint}</p>
      <SettingsFields fields={fields} root="credentials" values={values} error={error} onChange={onChange} />
    </fieldset>
  );
}

/** The form fields of the config or credentials. */
export function SettingsFields({
  fields,
  root,
  values,
  error,
  onChange,
}: {
  readonly fields: readonly FieldSpec[];
  readonly root: 'config' | 'credentials';
  readonly values: Values;
  /** The error of the last attempt. Each field shows its issue. */
  readonly error: Error | null;
  readonly onChange: (values: Values) => void;
}) {
  return (
    <div className="form-grid">
      {fields.map(({ name, label, kind, isRequired = false, placeholder, hint, choices = [] }) => {
        const shared = {
          label: isRequired ? t('connectors.required', { label }) : label,
          hint,
          error: issueOf(error, `${root}.${name}`),
          value: values[name] ?? '',
          onChange: (value: string) => onChange({ ...values, [name]: value }),
        };
        if (kind === 'choice') {
          const options = choices.map((value) => ({
            value,
            label: value === '' ? t('connectors.defaultChoice') : value,
          }));
          return <SelectField key={name} {...shared} options={options} />;
        }
        if (kind === 'interval') {
          const minutes = shared.value === '' ? '0' : shared.value;
          return <SelectField key={name} {...shared} value={minutes} options={intervalChoices(minutes)} />;
        }
        if (kind === 'list') return <TextArea key={name} {...shared} rows={3} placeholder={placeholder} />;
        const type = kind === 'secret' ? 'password' : kind;
        return (
          <TextField
            key={name}
            {...shared}
            type={type}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
          />
        );
      })}
    </div>
  );
}
