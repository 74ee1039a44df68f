import { issueOf } from '#api/issue-of.ts';
import { t } from '#texts/texts.ts';
import { TextField } from '#ui/field.tsx';

/** The name of a resource. `error` is the error of saving it. */
export function NameField({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly error: Error | null;
}) {
  return (
    <TextField
      label={t('ui.name')}
      value={value}
      onChange={onChange}
      required
      maxLength={200}
      error={issueOf(error, 'name')}
    />
  );
}
